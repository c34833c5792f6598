import type { Envelope, MailKind } from '../../protocol/mail/envelope.ts'
import { bodyText } from '../../protocol/work/choice-ask.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import { foldSome } from '../fold/fold.ts'

/** A mail on its way between members, or from a person. */
export interface Letter {
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

/** The mail of a run in the order in which it was heard of, and the place of each. */
export interface Letters {
  readonly list: Letter[]
  readonly places: Map<string, number>
}

export function emptyLetters(): Letters {
  return { list: [], places: new Map() }
}

/** Takes one recorded fact into the mail. */
export const applyLetters = foldSome<Letters>({
  'mail.sent': (letters, { envelope, at }) => {
    const known = letterOf(letters, envelope.id)
    if (known === undefined) put(letters, newLetter(envelope, at))
  },
  'mail.received': (letters, { envelope, at }) => {
    const known = letterOf(letters, envelope.id) ?? newLetter(envelope, Math.min(envelope.sent_at, at))
    put(letters, { ...known, received_at: known.received_at ?? at })
  },
  'mail.died': (letters, { mail_id, reason }) => {
    const known = mail_id === undefined ? undefined : letterOf(letters, mail_id)
    if (known !== undefined) put(letters, { ...known, died: reason })
  },
})

export function copyLetters({ list, places }: Letters): Letters {
  return { list: [...list], places: new Map(places) }
}

function letterOf({ list, places }: Letters, id: string): Letter | undefined {
  return list[places.get(id) ?? -1]
}

function newLetter({ id, from, to, kind, body }: Envelope, sent_at: number): Letter {
  const text = bodyText({ from, kind, body })
  const sender = from === personSender ? personSender : memberName(from)
  return { id, from: sender, to: memberName(to), kind, text, sent_at, received_at: null, died: null }
}

function put({ list, places }: Letters, letter: Letter): void {
  const place = places.get(letter.id) ?? list.length
  places.set(letter.id, place)
  list[place] = letter
}
