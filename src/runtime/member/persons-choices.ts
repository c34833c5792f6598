import { errorCode } from '../../adapters/fs/error-code.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { mailFolders, parseMailFile } from '../../adapters/mailbox/files/mail-files.ts'
import { readMail, type Recipient } from '../../adapters/mailbox/files/read-mail.ts'
import type { AskedChoice } from '../../projections/member/chosen.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import { agentId, isPersonOutbox } from '../../protocol/words/ids.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { choiceAskIn } from '../../protocol/work/choice-ask.ts'
import { modeRefusal } from '../../rules/permissions/mode.ts'
import type { RunContext } from '../context/run-context.ts'
import type { MemberStore } from './member-store.ts'

/** The judges of a choice. */
export interface Choosing {
  /** The member's policy without what people chose. */
  readonly policy: () => Policy
  /** Opens a model. @returns why it cannot be used; null where it can */
  readonly open: (name: string) => Promise<string | null>
}

/** The folder of a member's new mail, and the member. */
export interface NewMail extends Omit<Recipient, 'seal'> {
  readonly folder: string
}

/** Where a member's new mail lies: `newMailOf(context, card)`. */
export function newMailOf({ run, team }: RunContext, { name }: MemberCard): NewMail {
  return { folder: mailFolders(run.mail, name).new, id: agentId(name, team.name), team: team.name }
}

/**
 * Takes what people chose for the member out of its inbox; all other mail waits. Each choice has a sender of its own, and
 * the mailbox checks its signature.
 * @returns whether there was any
 */
export function takeChoices({ receive }: Pick<MemberStore['mailbox'], 'receive'>, inbox: NewMail): boolean {
  const senders = choosersIn(inbox)
  return senders.length > 0 && receive(senders.length, senders).length > 0
}

/** The senders of choices; none where the disk does not say: mail that cannot be read now is read later. */
function choosersIn({ folder, ...to }: NewMail): readonly string[] {
  try {
    return namesIn(folder).flatMap((file) => {
      const { sender = '' } = parseMailFile(file) ?? {}
      if (!isPersonOutbox(sender)) return []
      const mail = readMail(`${folder}/${file}`, file, to)
      return 'envelope' in mail && choiceAskIn(mail.envelope) !== null ? [sender] : []
    })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** Settles the choices that people made for a member by mail: each counts from now on, or is refused with the reason. */
export async function settleChoices(
  { chosen, ledger }: Pick<MemberStore, 'chosen' | 'ledger'>,
  { policy, open }: Choosing,
): Promise<void> {
  for (const asked of chosen.asked) {
    const refused = asked.choose === 'mode' ? modeRefusal(policy(), asked.value) : await open(asked.value)
    // Two may settle at a time: while the member works, and before its next question.
    if (chosen.asked.includes(asked)) ledger.record([settled(asked, refused)])
  }
}

function settled({ choose, value, mail_id }: AskedChoice, refused: string | null): Fact {
  const how = { mail_id, ...(refused === null ? {} : { refused }) }
  return choose === 'mode'
    ? { type: 'mode.chosen', mode: value, ...how }
    : { type: 'model.chosen', model: value, ...how }
}
