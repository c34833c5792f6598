import type { Envelope, MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId, isPersonOutbox, namePattern } from '../../protocol/words/ids.ts'
import { defaultKeep, type Keep } from './receive/archive.ts'
import type { Doorbell, Ring } from './watch/doorbell.ts'
import type { Durability } from './files/durable.ts'
import { openInbox, type InboxParts } from './receive/inbox.ts'
import { mailFolders, mailState, undelivered, type MailState } from './files/mail-folders.ts'
import type { MailLog } from './files/mail-log.ts'
import type { WatchSteps } from './files/mail-step.ts'
import { openOutbox, type SentMail, type Deliverability } from './send/outbox.ts'
import type { Seal } from './files/seal.ts'
import { readMail, type Recipient } from './files/read-mail.ts'
import type { Writer } from './send/write-envelope.ts'
import { watchMail } from './watch/watch-mail.ts'

export interface MailboxOptions extends Omit<Writer, 'log'> {
  /** `<run>/mail`. */
  readonly dir: string
  /** Whose box this is: a member's name, or `user-<ulid>` for a person who only sends. */
  readonly owner: string
  /** Names of the members; read at each send. */
  readonly roster: readonly string[]
  readonly log: MailLog
  /** Signs what is sent and checks what comes; without one, mail is neither signed nor checked. */
  readonly seal?: Seal
  /** This life of the owner: mail that is fenced to another one dies. */
  readonly incarnation?: string
  /** Rung on each send; without one, mail is noticed by watching the folder. */
  readonly doorbell?: Doorbell
  /** Whether mail to a member would be read. */
  readonly deliverability?: (name: string) => Deliverability
  /** Unread mail a member may have before senders are refused (10,000). */
  readonly maxUnread?: number
  /** What mail survives (`process`); in `power`, `log` has to put on the disk what it appends. */
  readonly durability?: Durability
  /** How much of what was read stays in `done/`. */
  readonly keep?: Keep
  /** Hears the steps; a chaos test ends the process there. */
  readonly step?: WatchSteps
}

/**
 * One member's mail: what it sends, and what it finds in its own box. Everything is synchronous but the watch.
 * 1. written (in `new/`) → claimed (in `cur/`) → acked (in the owner's journal, file in `done/`); or dead, with a reason.
 * 2. The journal of the owner, through `log`, is the memory: what it has was sent, what it has was received.
 * 3. A box has one owner at a time. It never decides what a mail means.
 */
export interface Mailbox {
  /** Sends, or says why not and what to do about it; a refused mail leaves no trace. */
  send(draft: MailDraft): SentMail
  /** Takes the next mail into the owner's journal, at most `limit` (256) at a time; empty when nothing is left. */
  receive(limit?: number): readonly Envelope[]
  /** Mail that is not in the journal yet. */
  unread(): number
  /** What became of a mail to a member. */
  state(to: string, id: string): MailState
  /** Hears that mail may have come; look with `receive` after watching began. Returns the end of the watch. */
  watch(onRang: (ring: Ring) => void): () => void
  /** Ends the watches; nothing is sent or received afterwards. */
  close(): void
}

/**
 * Opens a mailbox, finishing what an earlier owner left half done. Makes no folder before it needs it.
 * Throws when `owner` is no name, and what the disk says.
 * @example
 * const lead = openMailbox({ dir: run.mail, owner: 'lead', from: 'lead@demo', team: 'demo', roster, log, now, mint })
 * lead.send({ to: 'writer@demo', kind: 'text', body: 'Begin with the summary.', key: 'turn-1-call-1' })
 */
export function createMailbox(options: MailboxOptions): Mailbox {
  const { dir, owner } = options
  if (!namePattern.test(owner) && !isPersonOutbox(owner)) throw new Error(`"${owner}" is no name of a mailbox`)
  const inbox = openInbox({
    ...options,
    folders: mailFolders(dir, owner),
    keep: options.keep ?? defaultKeep,
    read: readingFor(options),
  })
  const outbox = openOutbox({
    ...options,
    maxUnread: options.maxUnread ?? 10_000,
    durability: options.durability ?? 'process',
  })
  outbox.settle()
  const watches = new Set<() => void>()
  let open = true
  return {
    send: (draft) => (open ? outbox.send(draft) : { ok: false, error: `The mailbox of ${owner} is closed.` }),
    receive(limit = 256) {
      if (!open) throw new Error(`the mailbox of ${owner} is closed`)
      return inbox.receive(limit)
    },
    unread: () => undelivered(dir, owner),
    state: (to, id) => mailState(dir, to, id),
    watch(onRang) {
      const stop = hear(options, onRang)
      watches.add(stop)
      return () => {
        watches.delete(stop)
        stop()
      }
    },
    close() {
      open = false
      for (const stop of watches) stop()
      watches.clear()
    },
  }
}

function readingFor({ owner, team, seal, incarnation }: MailboxOptions): InboxParts['read'] {
  const life = incarnation ? { incarnation } : {}
  const recipient: Recipient = { id: agentId(owner, team), team, ...(seal ? { seal } : {}), ...life }
  return (path, file) => readMail(path, file, recipient)
}

/** Listens to the process's doorbell, or else to the folder. */
function hear({ dir, owner, doorbell }: MailboxOptions, onRang: (ring: Ring) => void): () => void {
  if (doorbell) return doorbell.on(owner, onRang)
  const watch = watchMail({ dir, names: [owner] }, (_, ring) => onRang(ring))
  return () => void watch.close()
}
