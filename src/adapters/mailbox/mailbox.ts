import type { Envelope, MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId, isPersonOutbox, namePattern } from '../../protocol/words/ids.ts'
import { defaultKeep, type Keep } from './receive/claims.ts'
import type { Doorbell, Ring } from './watch/doorbell.ts'
import type { Durability } from './files/make-folder.ts'
import { openInbox, type InboxParts } from './receive/inbox.ts'
import { mailFolders, undelivered } from './files/mail-files.ts'
import { mailState, type MailState } from './files/mail-state.ts'
import type { MailLog } from './files/mail-log.ts'
import type { WatchSteps } from './files/mail-step.ts'
import { openOutbox, type SentMail, type Deliverability } from './send/outbox.ts'
import { readMail, type Recipient, type Seal } from './files/read-mail.ts'
import type { Writer } from './send/write-envelope.ts'
import { watchMail } from './watch/watch-mail.ts'

export interface MailboxOptions extends Omit<Writer, 'log'> {
  /** `<run>/mail`. */
  readonly dir: string
  /** The owner of the box: a member's name, or `user-<ulid>` for a person who only sends. */
  readonly owner: string
  /** Names of the members; read at each send. */
  readonly roster: readonly string[]
  readonly log: MailLog
  /** Signs what is sent and checks what comes; without one, mail is neither signed nor checked. */
  readonly seal?: Seal
  /** The owner's present life: mail that is fenced to another life dies. */
  readonly incarnation?: string
  /** The bell of this process, rung at each send; without one the folder is watched. */
  readonly doorbell?: Doorbell
  /** Whether mail to a member would be read. */
  readonly deliverability?: (name: string) => Deliverability
  /** Unread mail a member may have before senders are refused (10,000). */
  readonly maxUnread?: number
  /** The death that mail survives (`process`); in `power`, `log` has to put on the disk what it appends. */
  readonly durability?: Durability
  /** The part of the read mail that stays in `done/`. */
  readonly keep?: Keep
  /** Hears the steps; a chaos test ends the process there. */
  readonly step?: WatchSteps
}

/**
 * Owns one member's mail: the way out and its own box. Never decides what a mail means. All calls but the watch are
 * synchronous.
 * 1. written (in `new/`) → claimed (in `cur/`) → acked (in the owner's journal, file in `done/`); or dead, with a reason.
 * 2. The owner's journal, through `log`, is the memory: mail in it was sent or received, other mail was not.
 * 3. A box has one owner at a time.
 */
export interface Mailbox {
  /** Sends a mail, or names the reason and the remedy of a refusal; a refused mail leaves no trace. */
  send(draft: MailDraft): SentMail
  /** Takes the next mail into the owner's journal, at most `limit` (256) at a time; empty when nothing is left. */
  receive(limit?: number): readonly Envelope[]
  /** The number of mails that the journal does not have yet. */
  unread(): number
  /** The state of a mail to a member. */
  state(to: string, id: string): MailState
  /**
   * Hints that mail may have come: call `receive` then, and once after the watch began.
   * @returns the end of the watch
   */
  watch(onRang: (ring: Ring) => void): () => void
  /** Ends the watches; nothing is sent or received afterwards. */
  close(): void
}

/**
 * Opens a mailbox and finishes the sends and claims of an earlier owner. Makes no folder before the first mail.
 * @throws when `owner` is no name, and the disk's own errors
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
