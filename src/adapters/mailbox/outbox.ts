import { envelopeSchema, type Envelope, type MailDraft } from '../../protocol/envelope.ts'
import { agentId, memberName, type AgentId } from '../../protocol/ids.ts'
import { errorCode } from '../fs/error-code.ts'
import { resolveAddress } from './address.ts'
import type { Doorbell } from './doorbell.ts'
import type { MailLog } from './mail-log.ts'
import { unwatched, type WatchSteps } from './mail-step.ts'
import type { Seal } from './seal.ts'
import { post, tidyDraft, wasPosted } from './post.ts'
import { unreadBound } from './unread-bound.ts'

/** Larger texts belong into a file. */
export const maxBodyBytes = 256 * 1024

export type Sent = { readonly ok: true; readonly envelope: Envelope } | { readonly ok: false; readonly error: string }

export interface OutboxParts {
  readonly dir: string
  readonly owner: string
  readonly from: AgentId | 'user'
  readonly team: string
  readonly roster: readonly string[]
  readonly log: MailLog
  readonly now: () => number
  readonly mint: () => string
  readonly doorbell?: Doorbell
  readonly seal?: Seal
  readonly maxUnread: number
  readonly step?: WatchSteps
}

/**
 * Owns the way out: one owner's mail, numbered and journaled before its file exists.
 * 1. A key is sent once: the same key again finds id and number in the journal. 2. A mail whose file is missing goes
 * out before the next one is numbered, so a recipient never sees numbers of one sender out of order.
 * 3. What is refused leaves no trace. It never reads anybody's mail.
 */
export interface Outbox {
  send(draft: MailDraft): Sent
  /** Posts the last journaled mail if its file never appeared; returns what stands in the way. */
  settle(): string | undefined
}

export function openOutbox(parts: OutboxParts): Outbox {
  const { dir, log, doorbell, step = unwatched } = parts
  const hasRoom = unreadBound(dir, parts.maxUnread)
  let unposted = log.lastSent()

  const posted = (envelope: Envelope): string | undefined =>
    attempt(() => {
      unposted = envelope
      post(dir, envelope, step)
      unposted = undefined
      doorbell?.ring(memberName(envelope.to), envelope.priority)
    })
  const settle = (): string | undefined => {
    if (unposted && wasPosted(dir, unposted)) {
      tidyDraft(dir, unposted)
      unposted = undefined
    }
    return unposted && posted(unposted)
  }
  const send = (draft: MailDraft): Sent => {
    const blocked = settle()
    if (blocked !== undefined) return refused(`Earlier mail could not be written yet: ${blocked}.`)
    const before = log.sent(draft.key)
    if (before) return { ok: true, envelope: before }
    const envelope = addressed(draft, parts)
    if ('error' in envelope) return refused(envelope.error)
    const name = memberName(envelope.to)
    if (!hasRoom(name)) return refused(`${name} has ${parts.maxUnread} unread messages. Wait until it has read some.`)
    const unrecorded = attempt(() => log.append([{ type: 'mail.sent', envelope }]))
    if (unrecorded !== undefined) return refused(`The mail was not sent: ${unrecorded}.`)
    step('sent.journaled')
    const failed = posted(envelope)
    if (failed === undefined) return { ok: true, envelope }
    return refused(`The mail is recorded but could not be written: ${failed}. It goes out with the next one.`)
  }
  return { send, settle }
}

/** The envelope of a draft, or why it cannot be sent. */
function addressed(draft: MailDraft, parts: OutboxParts): Envelope | { readonly error: string } {
  const to = resolveAddress(draft.to, parts)
  if ('error' in to) return to
  const bytes = Buffer.byteLength(draft.body)
  if (bytes > maxBodyBytes) {
    const remedy = 'Write it to a file and send the path.'
    return { error: `The message has ${bytes} bytes, more than the ${maxBodyBytes} that mail carries. ${remedy}` }
  }
  const { owner, from, log, team, now, mint } = parts
  const identity = { v: 1, id: mint(), from, sender: owner, seq: log.lastSeq() + 1, to: agentId(to.name, team) }
  const parsed = envelopeSchema.safeParse({ priority: 'normal', ...draft, ...identity, sent_at: now() })
  if (!parsed.success) return { error: `The mail is malformed: ${parsed.error.message}` }
  return parts.seal ? parts.seal.sign(parsed.data) : parsed.data
}

function refused(error: string): Sent {
  return { ok: false, error }
}

/** Runs something that the disk may refuse; returns what it said. */
function attempt(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error
    return error.message
  }
}
