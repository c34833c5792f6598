import type { AskedChoice } from '../../projections/member/chosen.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import { modeRefusal } from '../../rules/permissions/mode.ts'
import type { MemberStore } from './member-store.ts'

/** The judges of a choice. */
export interface Choosing {
  /** The member's policy without what people chose. */
  readonly policy: () => Policy
  /** Opens a model. @returns why it cannot be used; null where it can */
  readonly open: (name: string) => Promise<string | null>
}

/** Settles the choices that people made for a member by mail: each counts from now on, or is refused with the reason. */
export async function settleChoices(
  { chosen, ledger }: Pick<MemberStore, 'chosen' | 'ledger'>,
  choosing: Choosing,
): Promise<void> {
  for (const asked of chosen.asked) ledger.record([await settled(asked, choosing)])
}

async function settled({ choose, value, mail_id }: AskedChoice, { policy, open }: Choosing): Promise<Fact> {
  const refused = choose === 'mode' ? modeRefusal(policy(), value) : await open(value)
  const how = { mail_id, ...(refused === null ? {} : { refused }) }
  return choose === 'mode'
    ? { type: 'mode.chosen', mode: value, ...how }
    : { type: 'model.chosen', model: value, ...how }
}
