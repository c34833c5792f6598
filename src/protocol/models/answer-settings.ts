import { z } from 'zod'
import { cacheTtls, serverTools, thinkingDisplays } from './model.ts'

export const thinkingSchema = z
  .strictObject({
    budget: z.number().int().nonnegative().optional().describe('Tokens to think for; 0 asks for none.'),
    decay: z
      .strictObject({
        after_turn: z.number().int().nonnegative().describe('The last turn with the whole budget.'),
        factor: z.number().min(0).max(1).describe('What is left of it with each further turn.'),
        floor: z.number().int().nonnegative().describe('Never less than this.'),
      })
      .optional()
      .describe('How the budget grows smaller from turn to turn.'),
    display: z
      .enum(thinkingDisplays)
      .optional()
      .describe('What transcript and journal show of the thinking (default: as the vendor likes).'),
  })
  .refine(({ budget, display }) => budget !== undefined || display !== undefined, 'must say a budget or a display')
  .refine(({ budget, decay }) => budget !== undefined || decay === undefined, 'decay needs a budget')

/** Keys of a team file, for all members or for one: what models are asked for with every question. */
export const answerFields = {
  max_output: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Longest answer in tokens, thinking included (default: the longest the model can, at first 32000).'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe('How freely a model chooses its words, where it can be told.'),
  top_p: z.number().gt(0).max(1).optional().describe('The part of the likeliest words that a model chooses from.'),
  stop: z.array(z.string().min(1)).max(4).optional().describe('Words at which an answer ends.'),
  service_tier: z.string().min(1).optional().describe("The vendor's word for how soon an answer is wanted, e.g. flex."),
  metadata: z.record(z.string(), z.string()).optional().describe('Words for the vendor about a request, e.g. user_id.'),
  betas: z.array(z.string().min(1)).optional().describe('Beta features to ask the Messages API for, by name.'),
  server_tools: z
    .array(z.enum(serverTools))
    .optional()
    .describe(
      "Tools that the vendor's own server runs, without a question: `anthropic/` and `openai/` models have them.",
    ),
  cache: z
    .strictObject({ ttl: z.enum(cacheTtls).describe('1h costs more to write and outlives longer waits.') })
    .optional()
    .describe(
      "How long the vendor keeps what was asked (default: 5m; a lead's tools and prompt 1h once it delegates).",
    ),
}

const answerSettingsSchema = z.object(answerFields)

export type AnswerSettings = z.infer<typeof answerSettingsSchema>

/** `answerSettings(card, team)`: each key as the first who says it has it; keys that nobody says are left out. */
export function answerSettings(...said: readonly AnswerSettings[]): AnswerSettings {
  const keys = Object.keys(answerFields) as (keyof AnswerSettings)[]
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = said.find((each) => each[key] !== undefined)?.[key]
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}
