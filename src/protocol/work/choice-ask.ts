import { z } from 'zod'
import type { Envelope } from '../mail/envelope.ts'
import { permissionModes } from '../permissions/permission.ts'
import { personSender } from '../words/ids.ts'

/** A person's choice for a member that runs, in control mail to it: another model, or another permission mode. */
const choiceAskSchema = z.union([
  z.strictObject({ choose: z.literal('model'), value: z.string().min(1) }),
  z.strictObject({ choose: z.literal('mode'), value: z.enum(permissionModes) }),
])

export type ChoiceAsk = z.infer<typeof choiceAskSchema>

const settled = { refused: z.string().optional(), mail_id: z.string().optional() }

/** A person chose who answers, or how much is allowed, from now on. `refused`: why that does not count; `mail_id`: who asks waits for it. */
export const choiceFacts = [
  z.object({ type: z.literal('model.chosen'), model: z.string(), ...settled }),
  z.object({ type: z.literal('mode.chosen'), mode: z.enum(permissionModes), ...settled }),
] as const

/** The choice in a mail; null in any other. Members choose for nobody by mail. */
export function choiceAskIn({ from, kind, body }: Pick<Envelope, 'from' | 'kind' | 'body'>): ChoiceAsk | null {
  if (from !== personSender || kind !== 'control' || !body.startsWith('{')) return null
  try {
    return choiceAskSchema.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}
