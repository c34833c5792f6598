import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { providersSchema } from '../words/provider-spec.ts'
import { durationSchema } from '../words/duration-schema.ts'

const longestMs = 24 * 3_600_000

const timeout = durationSchema.refine((text) => durationMs(text) > 0 && durationMs(text) <= longestMs, {
  message: 'must be more than nothing and at most 24h',
})

/** The two APIs in which OpenAI's server, and those that imitate it, can be spoken to. */
export const openAiApis = ['responses', 'chat'] as const

/** How long the servers of models are waited for, as people write it. */
const timeoutsSchema = z.strictObject({
  connect: timeout.optional().describe('How long a connection may take to be there (default: 10s).'),
  first_byte: timeout
    .optional()
    .describe('How long a model may take to begin its answer (default: 10m, 30s where another model stands in).'),
  idle: timeout
    .optional()
    .describe('How long an answer that has begun may be silent (default: 60s, 10m for servers of this machine).'),
  progress: timeout.optional().describe('How long an answer may only say that it is still there (default: 10m).'),
  total: timeout.optional().describe('How long a whole answer may take (default: any).'),
})

/** The same in a resolved team. What is absent has its default. */
const resolvedTimeoutsSchema = z.object({
  connect_ms: z.number().positive().optional(),
  first_byte_ms: z.number().positive().optional(),
  idle_ms: z.number().positive().optional(),
  progress_ms: z.number().positive().optional(),
  total_ms: z.number().positive().optional(),
})

const reachFields = {
  providers: providersSchema
    .optional()
    .describe(
      "Servers of models by names of one's own, or another way to a known one. They count only in a trusted workspace.",
    ),
  retries: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('How often a failed question is asked again (default: 10).'),
  fallback_after: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Failures in a row after which a fallback answers; a server that hangs is not asked twice (default: 3).'),
  fallback_on_refusal: z
    .boolean()
    .optional()
    .describe('A fallback answers what the first model refused, too (default: false).'),
}

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
  ...reachFields,
  timeouts: timeoutsSchema.optional().describe('How long models are waited for before a request is made again.'),
}

/** The same in a resolved team. */
export const resolvedServerFields = {
  api: z.enum(openAiApis).optional(),
  persistent: z.boolean().optional(),
  ...reachFields,
  timeouts: resolvedTimeoutsSchema.optional(),
}

/** The keys of a team file that go into a resolved team as they are. */
export const serverKeys = [
  'providers',
  'api',
  'persistent',
  'retries',
  'fallback_after',
  'fallback_on_refusal',
] as const

export type TimeoutsSaid = z.infer<typeof timeoutsSchema>
export type OpenAiApi = (typeof openAiApis)[number]
export type ModelTimeouts = z.infer<typeof resolvedTimeoutsSchema>
