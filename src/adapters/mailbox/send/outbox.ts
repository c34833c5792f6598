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
      /** One for each recipient, when it went to several. */
      readonly copies?: readonly Envelope[]
      /** What the sender should know, e.g. that the recipient was stopped. */
      readonly note?: string
    }
  | {
      readonly ok: false
      readonly error: string
      /** Of mail that is recorded all the same, and goes out with the next one of this mailbox: what the disk said. */
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
 * Owns the way out: one owner's mail, numbered and journaled before its file exists.
 * 1. A key is sent once: the same key again finds id and number in the journal. 2. Mail whose file is missing goes out
 * before the next is numbered, so a recipient never sees numbers of one sender out of order.
 * 3. What is refused leaves no trace. 4. Mail to several is journaled in one append and synced once.
 * It never reads anybody's mail.
 */
export interface Outbox {
  send(draft: MailDraft): SentMail
  /** Posts what was journaled lately and never appeared; returns what stands in the way. */
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

/** What the disk does not let be written is refused like what the rules do not. */
function write(...given: Parameters<typeof writeEnvelopes>): WrittenMail {
  try {
    return writeEnvelopes(...given)
  } catch (error) {
    return { error: `The mail was not sent: ${saidByDisk(error)}.` }
  }
}

/** What its recipient asked for and waits for: it finds room in a full box. */
const awaited = new Set<MailDraft['kind']>(['result', 'answer'])

/** Says who takes mail, and collects what the sender should know. */
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

/** Mail appears in the order of its numbers, so what comes before one that is there is there as well. */
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

/** Runs something that the disk may refuse; returns what it said. */
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
