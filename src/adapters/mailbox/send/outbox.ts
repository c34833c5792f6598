import type { Envelope, MailDraft } from '../../../protocol/mail/envelope.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import { errorCode } from '../../fs/error-code.ts'
import type { Doorbell } from '../watch/doorbell.ts'
import type { Durability } from '../files/durable.ts'
import type { MailLog } from '../files/mail-log.ts'
import { unwatched, type WatchSteps } from '../files/mail-step.ts'
import { post, tidyDraft, wasPosted } from './post.ts'
import { unreadBound } from './unread-bound.ts'
import { writeEnvelopes, type Writer, type WrittenMail } from './write-envelope.ts'

export type SentMail =
  | {
      readonly ok: true
      readonly envelope: Envelope
      /** The mail of each recipient, when there are several. */
      readonly copies?: readonly Envelope[]
      /** A remark for the sender, e.g. that the recipient was stopped. */
      readonly note?: string
    }
  | {
      readonly ok: false
      readonly error: string
      /** The disk's error, of mail that is recorded and goes out with the next one of this mailbox. */
      readonly unwritten?: string
    }

/** Whether mail to a member will be read: no, and why, or yes, with something to know; null when all is well. */
export type Deliverability = { readonly refuse: string } | { readonly note: string } | null

export interface OutboxParts extends Writer {
  readonly dir: string
  readonly log: MailLog
  readonly doorbell?: Doorbell
  readonly deliverability?: (name: string) => Deliverability
  readonly maxUnread: number
  readonly durability: Durability
  readonly step?: WatchSteps
}

/**
 * Owns the way out: one owner's mail, numbered and journaled before its file exists. Never reads mail.
 * 1. A key is sent once: the same key again finds id and number in the journal.
 * 2. Mail whose file is missing goes out before the next is numbered: a recipient sees one sender's numbers in order.
 * 3. A refused mail leaves no trace.
 * 4. Mail to several recipients is journaled in one append and synced once.
 */
export interface Outbox {
  send(draft: MailDraft): SentMail
  /** Posts journaled mail whose files are missing; returns the disk's error. */
  settle(): string | undefined
}

export function openOutbox(parts: OutboxParts): Outbox {
  const { dir, log, doorbell, durability, step = unwatched } = parts
  const hasRoom = unreadBound(dir, parts.maxUnread)
  let unposted = log.lastSent()

  const appeared = (envelope: Envelope): void =>
    doorbell?.ring(memberName(envelope.to), { priority: envelope.priority })
  const postAll = (envelopes: readonly Envelope[]): void => {
    unposted = envelopes
    post(envelopes, { dir, durability, step, appeared })
    unposted = []
  }
  const settle = (): string | undefined => {
    if (unposted.length === 0) return undefined
    for (const envelope of unposted) tidyDraft(dir, envelope)
    return attempt(() => postAll(unpostedOf(dir, unposted)))
  }
  const deliver = (fresh: readonly Envelope[]): Unsent | undefined => {
    if (fresh.length === 0) return undefined
    const unrecorded = attempt(() => log.append(fresh.map((envelope) => ({ type: 'mail.sent', envelope }))))
    if (unrecorded !== undefined) return refused(`The mail was not sent: ${unrecorded}.`)
    step('sent.journaled')
    const unwritten = attempt(() => postAll(fresh))
    if (unwritten === undefined) return undefined
    const error = `The mail is recorded but could not be written: ${unwritten}. It goes out with the next one.`
    return { ...refused(error), unwritten }
  }
  const send = (draft: MailDraft): SentMail => {
    const blocked = settle()
    if (blocked !== undefined) return refused(`Earlier mail could not be written yet: ${blocked}.`)
    const { notes, ...admitted } = admission(draft.kind, hasRoom, parts)
    const written = write(draft, parts, admitted)
    if ('error' in written) return refused(written.error)
    return deliver(written.fresh) ?? confirmed(written.all, notes)
  }
  return { send, settle }
}

/** Writes envelopes; an error of the disk is a refusal, like one of the rules. */
function write(...given: Parameters<typeof writeEnvelopes>): WrittenMail {
  try {
    return writeEnvelopes(...given)
  } catch (error) {
    return { error: `The mail was not sent: ${saidByDisk(error)}.` }
  }
}

/** Kinds that their recipient waits for: they find room in a full box. */
const awaited = new Set<MailDraft['kind']>(['result', 'answer'])

/** Admits recipients, and collects remarks for the sender. */
function admission(
  kind: MailDraft['kind'],
  hasRoom: (name: string) => boolean,
  { deliverability, maxUnread }: Pick<OutboxParts, 'deliverability' | 'maxUnread'>,
) {
  const notes = new Set<string>()
  const leaveOut = (name: string): boolean => {
    const stands = deliverability?.(name) ?? null
    if (!stands || !('refuse' in stands)) return false
    notes.add(stands.refuse)
    return true
  }
  const admit = (name: string): string | null => {
    const stands = deliverability?.(name) ?? null
    if (stands && 'refuse' in stands) return stands.refuse
    if (stands) notes.add(stands.note)
    if (awaited.has(kind) || hasRoom(name)) return null
    return `${name} has ${maxUnread} unread messages. Wait until it has read some.`
  }
  return { admit, leaveOut, notes }
}

/** The mail after the last one whose file is there: files appear in the order of their numbers. */
function unpostedOf(dir: string, recent: readonly Envelope[]): readonly Envelope[] {
  return recent.slice(recent.findLastIndex((envelope) => wasPosted(dir, envelope)) + 1)
}

function confirmed(all: readonly Envelope[], notes: ReadonlySet<string>): SentMail {
  const envelope = all[0]
  const note = [...notes].join(' ')
  if (!envelope) return refused(note)
  const copies = all.length > 1 && { copies: all }
  return { ok: true, envelope, ...copies, ...(note !== '' && { note }) }
}

type Unsent = Extract<SentMail, { ok: false }>

function refused(error: string): Unsent {
  return { ok: false, error }
}

/** Runs `act`; returns the disk's error, if there is one. */
function attempt(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return saidByDisk(error)
  }
}

function saidByDisk(error: unknown): string {
  if (errorCode(error) === undefined || !(error instanceof Error)) throw error
  return error.message
}
