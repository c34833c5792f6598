import type { Entry } from '../../protocol/facts/entry.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import { choiceAskIn, type ChoiceAsk } from '../../protocol/work/choice-ask.ts'

/** The choices of people for an agent that runs, and those that it has not settled yet. */
export interface Chosen {
  model: string | null
  mode: PermissionMode | null
  asked: readonly AskedChoice[]
}

/** A choice that came by mail. */
export type AskedChoice = ChoiceAsk & { readonly mail_id: string }

export function noChoice(): Chosen {
  return { model: null, mode: null, asked: [] }
}

/** Takes one entry of the agent's own journal in. A choice that was refused counts for nothing. */
export function applyChoices(chosen: Chosen, entry: Entry): void {
  if (entry.type === 'mail.received') {
    const asked = choiceAskIn(entry.envelope)
    if (asked !== null) chosen.asked = [...chosen.asked, { ...asked, mail_id: entry.envelope.id }]
  } else if (entry.type === 'model.chosen' || entry.type === 'mode.chosen') {
    chosen.asked = chosen.asked.filter(({ mail_id }) => mail_id !== entry.mail_id)
    if (entry.refused !== undefined) return
    if (entry.type === 'model.chosen') chosen.model = entry.model
    else chosen.mode = entry.mode
  }
}
