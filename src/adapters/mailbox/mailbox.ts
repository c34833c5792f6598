import type { Envelope, MailDraft } from '../../protocol/mail/envelope.ts'
import { agentId, isPersonOutbox, namePattern } from '../../protocol/words/ids.ts'
import { defaultKeep, succeeds, type Keep } from './receive/claims.ts'
import type { Doorbell, Ring } from './watch/doorbell.ts'
import type { Durability } from './files/make-folder.ts'
import { openInbox, type Inbox, type InboxParts } from './receive/inbox.ts'
import { mailFolders } from './files/mail-files.ts'
import { mailState, type Fate, type MailState } from './files/mail-state.ts'
import type { MailLog } from './files/mail-log.ts'
import type { WatchSteps } from './files/mail-step.ts'
import { openOutbox, type SentMail, type Deliverability } from './send/outbox.ts'
import { readMail, type Recipient, type Seal } from './files/read-mail.ts'
import type { Writer } from './send/write-envelope.ts'
import { systemTimers, watchMail, type Timers } from './watch/watch-mail.ts'

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
  /** Throws once the box has a later owner. */
  readonly owns?: () => void
  /** Hears the steps; a chaos test ends the process there. */
  readonly step?: WatchSteps
  /**
   * The end of a mail's way: `auto`, the journal, which is all that its reader goes by; `done`, the word of its reader, and
   * until then a later owner of the box gets it again.
   */
  readonly confirm?: 'auto' | 'done'
  /** The word of the journals on a mail whose file is gone. */
  readonly fate?: Fate
  /** The clock of what is tried again. */
  readonly timers?: Timers
  /** How much of each mail its reader is shown. */
  readonly fit?: InboxParts['fit'] | undefined
  /** Attachments of a mail, by their name in it. */
  readonly attached?: InboxParts['attached'] | undefined
}

/**
 * Owns one member's mail: the way out and its own box. Never decides what a mail means. All calls but the watch are
 * synchronous.
 * 1. written (in `new/`) → claimed (in `cur/`) → acked (in the owner's journal, file in `done/`) → handled, where its
 *    reader says so; or dead, with a reason.
 * 2. The owner's journal, through `log`, is the memory: mail in it was sent or received, other mail was not.
 * 3. A box has one owner at a time.
 */
export interface Mailbox {
  /** Sends a mail, or names the reason and the remedy of a refusal; a refused mail leaves no trace. */
  send(draft: MailDraft): SentMail
  /**
   * Takes the next mail into the owner's journal, at most `limit` (256) at a time; empty when nothing is left that can be
   * taken now. A file that the disk does not give is tried again later, and so is the rest of a box that holds thousands
   * of files that are no mail: the watch rings then.
   * @param writers whose mail alone is taken; that of others waits
   */
  receive(limit?: number, writers?: readonly string[]): readonly Envelope[]
  /** Says that a mail was handled, where that is to be confirmed: no later owner of the box gets it again. */
  done(id: string): void
  /** The number of files that `receive` would take now. */
  unread(): number
  /**
   * The state of a mail to a member.
   * @param to a name, with or without the team
   */
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
  const { dir, owner, team, fate } = options
  if (!namePattern.test(owner) && !isPersonOutbox(owner)) throw new Error(`"${owner}" is no name of a mailbox`)
  const box = openBox(options)
  const outbox = openOutbox({
    ...options,
    maxUnread: options.maxUnread ?? 10_000,
    durability: options.durability ?? 'process',
  })
  outbox.settle()
  const watches = new Set<() => void>()
  let open = true
  const whileOpen = <Result>(act: () => Result): Result => {
    if (!open) throw new Error(`the mailbox of ${owner} is closed`)
    return act()
  }
  return {
    send: (draft) => (open ? outbox.send(draft) : { ok: false, error: `The mailbox of ${owner} is closed.` }),
    receive: (limit = 256, writers) => whileOpen(() => box.receive(limit, writers)),
    done: (id) => whileOpen(() => box.done(id)),
    unread: box.unread,
    state: (to, id) => mailState(dir, to.endsWith(`@${team}`) ? to.slice(0, -team.length - 1) : to, { id, fate }),
    watch(onRang) {
      const stops = [hear(options, onRang), box.onRetry(onRang)]
      const end = (): void => {
        watches.delete(end)
        for (const stop of stops) stop()
      }
      watches.add(end)
      return end
    },
    close() {
      open = false
      for (const end of watches) end()
    },
  }
}

/** The owner's own box: what came before and was not confirmed, then what comes. */
function openBox(options: MailboxOptions) {
  const { dir, owner, log, confirm = 'auto', keep = defaultKeep, timers = systemTimers, owns } = options
  const [folders, confirmed] = [mailFolders(dir, owner), confirm === 'done']
  const inbox = openInbox({ ...options, folders, keep, confirmed, read: readingFor(options) })
  const again = confirmed ? [...log.unhandled()] : []
  const { after, on: onRetry } = openRetry(timers, inbox)
  return {
    onRetry,
    receive(limit: number, writers?: readonly string[]): readonly Envelope[] {
      const mail = again.length > 0 ? again.splice(0, limit) : after(() => inbox.receive(limit, writers))
      // An owner that was frozen meanwhile has a successor, which hands the same mail out.
      if (mail.length > 0) owns?.()
      return mail
    },
    unread: () => again.length + after(() => inbox.unread()),
    done(id: string): void {
      if (log.isUnhandled(id)) log.append([{ type: 'mail.handled', mail_id: id }])
    },
  }
}

function readingFor({ owner, team, seal, incarnation }: MailboxOptions): InboxParts['read'] {
  const life = incarnation ? { incarnation } : {}
  const recipient: Recipient = { id: agentId(owner, team), team, ...(seal ? { seal } : {}), ...life }
  return (path, file) => readMail(path, file, recipient)
}

/** Rings again once what could not be taken can be tried: nothing else tells of it. */
function openRetry({ set, clear }: Timers, inbox: Pick<Inbox, 'nextIn'>) {
  const listeners = new Set<(ring: Ring) => void>()
  let timer: unknown
  const plan = (): void => {
    clear(timer)
    const ms = listeners.size === 0 ? null : inbox.nextIn()
    if (ms === null) return
    timer = set(() => {
      for (const listener of listeners) listener({ priority: 'normal' })
    }, ms)
  }
  return {
    after<Result>(act: () => Result): Result {
      try {
        return act()
      } finally {
        plan()
      }
    },
    on(listener: (ring: Ring) => void): () => void {
      listeners.add(listener)
      plan()
      return () => {
        listeners.delete(listener)
        plan()
      }
    },
  }
}

/** Listens to the process's doorbell, or else to the folder. */
function hear({ dir, owner, doorbell, log, timers }: MailboxOptions, onRang: (ring: Ring) => void): () => void {
  if (doorbell) return doorbell.on(owner, onRang)
  const onProblem = (message: string): void => {
    succeeds(() => log.append([{ type: 'warning.raised', code: 'mail_polling', message }]))
  }
  const watch = watchMail({ dir, names: [owner], onProblem, ...(timers && { timers }) }, (_, ring) => onRang(ring))
  return () => void watch.close()
}
