import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Envelope, MailDraft } from '../../../protocol/mail/envelope.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { syncFolder, syncOpenFile } from '../../fs/sync.ts'
import { claimedIn, mailFile, mailFolders, type MailFolders } from '../files/mail-files.ts'
import type { MailLog } from '../files/mail-log.ts'
import type { Fate } from '../files/mail-state.ts'
import type { WatchSteps } from '../files/mail-step.ts'
import { makeFolder, type Durability } from '../files/make-folder.ts'
import type { Doorbell } from '../watch/doorbell.ts'
import { writeEnvelopes, type Writer } from './write-envelope.ts'

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
  /** `<run>/mail`. */
  readonly dir: string
  readonly log: MailLog
  readonly doorbell?: Doorbell
  readonly deliverability?: (name: string) => Deliverability
  readonly maxUnread: number
  readonly durability: Durability
  /** The word of the journals on a mail whose file is gone. */
  readonly fate?: Fate
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
  const { log, step } = parts
  const roomFor = unreadBound(parts)
  let unposted = log.lastSent()

  const postAll = (envelopes: readonly Envelope[]): void => {
    unposted = envelopes
    post(envelopes, parts)
    unposted = []
  }
  /** The mail after the last one whose file is there: files appear in the order of their numbers. */
  const settle = (): string | undefined =>
    attempt(() => postAll(unposted.slice(unposted.findLastIndex((envelope) => wasPosted(parts, envelope)) + 1)))
  const deliver = (fresh: readonly Envelope[]): Unsent | undefined => {
    const unrecorded = attempt(() => log.append(fresh.map((envelope) => ({ type: 'mail.sent', envelope }))))
    if (unrecorded !== undefined) return refused(`The mail was not sent: ${unrecorded}.`)
    step?.('sent.journaled')
    const unwritten = attempt(() => postAll(fresh))
    if (unwritten === undefined) return undefined
    const error = `The mail is recorded but could not be written: ${unwritten}. It goes out with the next one.`
    return { ...refused(error), unwritten }
  }
  const send = (draft: MailDraft): SentMail => {
    const blocked = settle()
    if (blocked !== undefined) return refused(`Earlier mail could not be written yet: ${blocked}.`)
    const { notes, ...admitted } = admission(draft.kind, roomFor, parts)
    try {
      const written = writeEnvelopes(draft, parts, admitted)
      if ('error' in written) return refused(written.error)
      const { all, fresh } = written
      return (fresh.length > 0 ? deliver(fresh) : undefined) ?? confirmed(all, notes)
    } catch (error) {
      return refused(`The mail was not sent: ${saidByDisk(error)}.`)
    }
  }
  return { send, settle }
}

/** Kinds that their recipient waits for: they find room in a full box. */
const awaited = new Set<MailDraft['kind']>(['result', 'answer'])

/** Admits recipients, and collects remarks for the sender. */
function admission(
  kind: MailDraft['kind'],
  roomFor: ReturnType<typeof unreadBound>,
  { deliverability }: Pick<OutboxParts, 'deliverability'>,
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
    return awaited.has(kind) ? null : roomFor(name)
  }
  return { admit, leaveOut, notes }
}

/**
 * Bounds the unread mail of each member, as one of its senders sees it. A count lists the box, which for a large bound
 * would cost more than the mail: a sender counts once for `stride` mails, and leaves as many places free for each other
 * sender. However they take turns, the box never holds more than `maxUnread`, and a hundredth less at the least.
 * @returns why a member's box has no room for one more mail, or null, which takes a place
 */
function unreadBound({ dir, roster, owner, maxUnread }: OutboxParts): (name: string) => string | null {
  // All people together count as one more sender.
  const others = roster.filter((name) => name !== owner).length + 1
  const stride = Math.floor(maxUnread / (100 * (others + 1)))
  const places = new Map<string, number>()
  return (name) => {
    let left = places.get(name) ?? 0
    if (left === 0) {
      const unread = namesIn(mailFolders(dir, name).new).length
      const room = maxUnread - unread - stride * others
      if (room <= 0) return `${name} has ${unread} unread messages. Wait until it has read some.`
      left = Math.min(room, Math.max(stride, 1))
    }
    places.set(name, left - 1)
    return null
  }
}

/** The means of putting mail into a box. */
type PostOptions = Pick<OutboxParts, 'dir' | 'durability' | 'doorbell' | 'step'>

/**
 * Puts envelopes into their recipients' `new/`, in order: written whole in `tmp/`, then renamed, so that each appears at
 * once or not at all. In `power` the files are on the disk before they appear, and their names before the call returns,
 * with one sync per folder.
 * @throws the disk's own errors; an envelope that was not renamed is not there
 */
export function post(envelopes: readonly Envelope[], options: PostOptions): void {
  const folders = new Set<string>()
  try {
    for (const envelope of envelopes) {
      const name = memberName(envelope.to)
      const box = mailFolders(options.dir, name)
      postOne(envelope, box, options)
      folders.add(box.new)
      options.doorbell?.ring(name, { priority: envelope.priority })
    }
  } finally {
    // Files that appeared before an error are synced too: they are not written again.
    if (options.durability === 'power') for (const folder of folders) syncFolder(folder)
  }
}

function postOne(envelope: Envelope, box: MailFolders, { durability, step }: PostOptions): void {
  const file = mailFile(envelope)
  const draft = `${box.tmp}/${file}`
  const act = (): void => {
    try {
      writeWhole(draft, `${JSON.stringify(envelope)}\n`, durability)
      step?.('tmp.written')
      renameSync(draft, `${box.new}/${file}`)
    } catch (error) {
      attempt(() => rmSync(draft, { force: true }))
      throw error
    }
    step?.('new.renamed')
  }
  try {
    act()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    makeBox(box, durability)
    act()
  }
}

/** Writes a file, whole and private; in `power` its content is on the disk when this returns. */
function writeWhole(path: string, text: string, durability: Durability): void {
  const fd = openSync(path, 'w', 0o600)
  try {
    writeFileSync(fd, text)
    if (durability === 'power') syncOpenFile(fd, path)
  } finally {
    closeSync(fd)
  }
}

/** Makes the folders that every mail passes. `tmp` comes last: where `tmp` is, the others are, for good. */
function makeBox({ box, cur, done, tmp, new: unread }: MailFolders, durability: Durability): void {
  makeFolder(box, durability)
  for (const folder of [cur, done, unread]) makeFolder(folder)
  if (durability === 'power') syncFolder(box)
  makeFolder(tmp)
}

/** Whether the file of an envelope lies anywhere in its recipient's box, or lay there: a journal names it. */
function wasPosted({ dir, fate }: OutboxParts, envelope: Envelope): boolean {
  const folders = mailFolders(dir, memberName(envelope.to))
  const name = mailFile(envelope)
  const places = [folders.new, folders.done, folders.dead]
  if (places.some((folder) => existsSync(`${folder}/${name}`))) return true
  if (claimedIn(folders).some(({ file }) => file === name)) return true
  return (fate?.(memberName(envelope.to), envelope) ?? null) !== null
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
