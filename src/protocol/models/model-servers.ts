import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { durationSchema } from '../words/duration-schema.ts'

const longestMs = 24 * 3_600_000

const timeout = durationSchema.refine((text) => durationMs(text) > 0 && durationMs(text) <= longestMs, {
  message: 'must be more than nothing and at most 24h',
})

/** The two APIs in which OpenAI's server, and those that imitate it, can be spoken to. */
export const openAiApis = ['responses', 'chat'] as const

/** How long the servers of models are waited for, as people write it. */
const timeoutsSchema = z.strictObject({
  first_byte: timeout.optional().describe('How long a model may take to begin its answer (default: 10m).'),
  idle: timeout.optional().describe('How long an answer that has begun may be silent (default: 5m).'),
})

/** The same in a resolved team. What is absent has its default. */
const resolvedTimeoutsSchema = z.object({
  first_byte_ms: z.number().positive().optional(),
  idle_ms: z.number().positive().optional(),
})

/** The fields of a team file on the servers behind its models. */
export const serverFields = {
  api: z
    .enum(openAiApis)
    .optional()
    .describe("The API of openai/… and openai-compatible/… models, when not the provider's usual one."),
  persistent: z
    .boolean()
    .optional()
    .describe('Wait up to six hours for busy and limited models instead of failing (default: false).'),
  timeouts: timeoutsSchema.optional().describe('How long models are waited for before a request is made again.'),
}

/** The same in a resolved team. */
export const resolvedServerFields = {
  api: z.enum(openAiApis).optional(),
  persistent: z.boolean().optional(),
  timeouts: resolvedTimeoutsSchema.optional(),
}

export type OpenAiApi = (typeof openAiApis)[number]
export type ModelTimeouts = z.infer<typeof resolvedTimeoutsSchema>
