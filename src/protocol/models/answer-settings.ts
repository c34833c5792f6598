import { z } from 'zod'
import { cacheTtls } from './model.ts'

/** Keys of a team file, for all members or for one: what models are asked for with every question. */
export const answerFields = {
  max_output: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Longest answer in tokens, thinking included (default: the longest the model can, at first 32000).'),
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
