import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LeaseHeld } from '../../adapters/lease/lease.ts'
import type { SentMail } from '../../adapters/mailbox/send/outbox.ts'
import type { Attachment } from '../../protocol/conversation/message.ts'
import type { MailPriority } from '../../protocol/mail/envelope.ts'
import { everybody, ulidDigits } from '../../protocol/words/ids.ts'
import { shortLine } from '../../rules/conversation/mail-frame.ts'
import { storeAttachments } from '../../adapters/sessions/attachments.ts'
import { openMailbox } from './open-mailbox.ts'
import { ownPlace } from '../actors/own-place.ts'

/** A person's message to a member of a team. */
export interface PersonalMail {
  /** `name@team`, `all@team`, or a role; a run's id, or its beginning, may stand for the team. */
  readonly to: string
  readonly text: string
  /** Under the same key a member gets one mail, however often and from however many processes it is sent. */
  readonly key?: string | undefined
  readonly priority?: MailPriority
  /** Images and documents that come with it; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[]
  /** Where the key of the run is; default: the user's directory. */
  readonly home?: string
  /** Finds room in a full box, too: for whoever makes its owner read next. */
  readonly beyondBound?: boolean
}

/**
 * Sends mail as a person, from outside the team. With a key, the sending has a journal of its own, so that a second try
 * finds what the first one did.
 * @param dir the run directory
 * @throws when the directory is no run or its key cannot be read
 * @example await sendMail(dir, { to: 'lead@demo', text: 'Mind the tests.', key: 'ci-4711' })
 */
export async function sendMail(dir: string, mail: PersonalMail): Promise<SentMail> {
  const { text, key, home = ownPlace.home, priority = 'normal', beyondBound = false, attachments = [] } = mail
  const to = ofTeam(mail.to, dir)
  const box = await opened(() =>
    openMailbox(dir, 'user', {
      home,
      ...(beyondBound ? { mail: { maxUnread: Number.MAX_SAFE_INTEGER } } : {}),
      ...(key === undefined ? {} : { person: idOf(key) }),
    }),
  )
  try {
    const came = attachments.length === 0 ? {} : { attachments: storeAttachments(dir, attachments) }
    const sent = box.send({ to, kind: 'text', body: text, key: keyOf(to, key), priority, ...came })
    if (!sent.ok) return { ok: false, error: sent.unwritten === undefined ? sent.error : lateText(sent.unwritten, key) }
    return key === undefined ? sent : withOtherText(sent, text)
  } finally {
    box.close()
  }
}

/** `lead@review-01J8…` → `lead@review` */
function ofTeam(to: string, dir: string): string {
  const [name, team = ''] = to.split('@')
  const own = basename(dir).replace(/-[^-]*$/, '')
  return team.startsWith(`${own}-`) && basename(dir).startsWith(team) ? `${name}@${own}` : to
}

/** As the copies of mail to everybody are named, so that nobody who got one gets another. */
function keyOf(to: string, key = 'once'): string {
  const [name = ''] = to.split('@')
  return name === everybody ? key : `${key}:${name}`
}

/** This mailbox is closed at once: without a key no draft is left that could go out later. */
function lateText(unwritten: string, key: string | undefined): string {
  if (key === undefined) return `The mail was not sent: ${unwritten}.`
  return `The mail could not be written yet: ${unwritten}. Send it again under its key.`
}

function withOtherText(sent: Extract<SentMail, { ok: true }>, text: string): SentMail {
  const { envelope, copies = [envelope], note } = sent
  const other = copies.find(({ body, artifact }) => artifact === undefined && body !== text)
  if (!other) return sent
  const said = `Under this key another text was sent to ${other.to}, which holds: "${shortLine(other.body, 80)}"`
  return { ...sent, note: note === undefined ? said : `${said} ${note}` }
}

/** Another process may be sending under the same key at this moment. */
async function opened<Box>(open: () => Box): Promise<Box> {
  for (let tries = 1; ; tries += 1) {
    try {
      return open()
    } catch (error) {
      if (!(error instanceof LeaseHeld) || tries === 50) throw error
      await pause(20)
    }
  }
}

/** A name in the form of a ULID that only this key has. */
function idOf(key: string): string {
  const hash = createHash('sha256').update(key).digest()
  return Array.from({ length: 26 }, (_, index) => ulidDigits[(hash[index] ?? 0) % ulidDigits.length]).join('')
}
