import type { Envelope, MailKind } from '../../protocol/mail/envelope.ts'
import { bodyText } from '../../protocol/work/body-text.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import { foldSome } from '../fold/fold.ts'

/** A mail between members, or from a person, and how far it came. */
export interface ListedMail {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly kind: MailKind
  readonly text: string
  readonly sent_at: number
  /** When its recipient took it in; null while it lies in the mailbox. */
  readonly received_at: number | null
  /** Why it could not be delivered. */
  readonly died: string | null
}

/** The mail of a run in the order of the facts that tell of it, and the place of each. */
export interface MailList {
  readonly list: ListedMail[]
  readonly places: Map<string, number>
}

export function emptyMailList(): MailList {
  return { list: [], places: new Map() }
}

/** Takes one recorded fact into the list. */
export const applyMailList = foldSome<MailList>({
  'mail.sent': (mails, { envelope, at }) => {
    const known = mailOf(mails, envelope.id)
    if (known === undefined) put(mails, newMail(envelope, at))
  },
  'mail.received': (mails, { envelope, at }) => {
    const known = mailOf(mails, envelope.id) ?? newMail(envelope, Math.min(envelope.sent_at, at))
    put(mails, { ...known, received_at: known.received_at ?? at })
  },
  'mail.died': (mails, { mail_id, reason }) => {
    const known = mail_id === undefined ? undefined : mailOf(mails, mail_id)
    if (known !== undefined) put(mails, { ...known, died: reason })
  },
})

export function copyMailList({ list, places }: MailList): MailList {
  return { list: [...list], places: new Map(places) }
}

function mailOf({ list, places }: MailList, id: string): ListedMail | undefined {
  return list[places.get(id) ?? -1]
}

function newMail({ id, from, to, kind, body }: Envelope, sent_at: number): ListedMail {
  const text = bodyText({ from, kind, body })
  const sender = from === personSender ? personSender : memberName(from)
  return { id, from: sender, to: memberName(to), kind, text, sent_at, received_at: null, died: null }
}

function put({ list, places }: MailList, mail: ListedMail): void {
  const place = places.get(mail.id) ?? list.length
  places.set(mail.id, place)
  list[place] = mail
}
