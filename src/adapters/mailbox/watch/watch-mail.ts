import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { notify, pollingReason, type FolderListener, type Notifications } from '../../fs/notify.ts'
import { mailFolders } from '../files/mail-files.ts'
import { peekPriority } from '../files/read-mail.ts'
import type { Ring } from './doorbell.ts'

/** A clock that rings later. */
export interface Timers {
  set(act: () => void, ms: number): unknown
  clear(timer: unknown): void
}

export interface WatchOptions {
  /** `<run>/mail`. */
  readonly dir: string
  /** The members of this process. */
  readonly names: readonly string[]
  readonly timers?: Timers
  /** The reason to poll the folder, or null; its filesystem decides when left out. */
  readonly polling?: string | null
  /** Hears once that there are no notifications: from then on only the regular look finds mail. */
  readonly onProblem?: (message: string) => void
}

export interface MailWatch {
  /** Resolves when every notification from now on is heard. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** Milliseconds between two looks: after mail came, while none comes, and where nothing notifies. */
const [soon, late, polled] = [2_000, 30_000, 250]

/** The clock of this machine. */
export const systemTimers: Timers = {
  set: (act, ms) => setTimeout(act, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/**
 * Watches the `new/` folders of all members of a process. A notification is a hint: its folder is listed at the end of
 * the turn, and rings once for the files that were not there before. A regular look finds mail without a notification.
 * A watch never moves a file.
 * @param onRang hears the member's name and the highest priority among its new mail
 * @example const watch = watchMail({ dir: run.mail, names }, doorbell.ring)
 */
export function watchMail(options: WatchOptions, onRang: (name: string, ring: Ring) => void): MailWatch {
  let closed = false
  const boxes = boxesOf(options, {
    rang(name, ring) {
      if (closed) return
      regular.hasten()
      onRang(name, ring)
    },
    failed: () => regular.hasten(),
  })
  const regular = regularLook(options.timers ?? systemTimers, () => {
    for (const look of boxes.values()) look()
  })
  const hinted = new Set<string>()
  const lookAtHinted = (): void => {
    const folders = [...hinted]
    hinted.clear()
    for (const folder of folders) boxes.get(folder)?.()
  }
  const notifications = notificationsOf(options, [...boxes.keys()], {
    changed(folder) {
      if (hinted.size === 0) setImmediate(lookAtHinted)
      hinted.add(folder)
    },
    failed: regular.poll,
  })
  return {
    ready: notifications.ready,
    close() {
      closed = true
      regular.stop()
      return notifications.close()
    },
  }
}

/** Looks again and again, from soon after the start on. */
function regularLook(timers: Timers, look: () => void) {
  let polling = false
  let timer: unknown
  const plan = (ms: number): void => {
    timers.clear(timer)
    timer = timers.set(
      () => {
        plan(late)
        look()
      },
      polling ? polled : ms,
    )
  }
  plan(soon)
  return {
    hasten: () => plan(soon),
    poll() {
      polling = true
      plan(polled)
    },
    stop: () => timers.clear(timer),
  }
}

interface BoxListener {
  rang(name: string, ring: Ring): void
  /** Called when a folder could not be listed. */
  failed(): void
}

/** Makes the members' folders; returns a look at each, by its path. A look that fails is a problem once, and comes again. */
function boxesOf({ dir, names, onProblem }: WatchOptions, { rang, failed }: BoxListener): Map<string, () => void> {
  const told = new Set<string>()
  const fail = (folder: string, error: unknown): void => {
    const code = errorCode(error)
    if (code === undefined) throw error
    failed()
    if (told.has(folder)) return
    told.add(folder)
    onProblem?.(`${folder} cannot be listed (${code}): it is looked at again`)
  }
  return new Map(
    names.map((name) => {
      const folder = resolve(mailFolders(dir, name).new)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const fresh = freshMail(folder)
      const look = (): void => {
        try {
          const ring = fresh()
          if (ring) rang(name, ring)
        } catch (error) {
          fail(folder, error)
        }
      }
      return [folder, look]
    }),
  )
}

/** Listens where the system notifies; says once why it does not, or no longer does. */
function notificationsOf(
  { dir, polling, onProblem }: WatchOptions,
  folders: readonly string[],
  { changed, failed }: FolderListener,
): Notifications {
  let told = false
  const fail = (message: string): void => {
    if (told) return
    told = true
    failed(message)
    onProblem?.(`mail is looked for every ${polled} ms: ${message}`)
  }
  const reason = polling === undefined ? pollingReason(dir) : polling
  if (reason === null) return notify(folders, { changed, failed: fail })
  fail(reason)
  return { ready: Promise.resolve(), close: () => Promise.resolve() }
}

/** Files whose priority is looked up for one ring; a backlog beyond that rings as normal mail. */
const peeked = 256

/**
 * Lists one `new/` again and again.
 * @returns a look at the folder: the ring for the files that the look before did not find, or null
 */
export function freshMail(folder: string): () => Ring | null {
  let known: ReadonlySet<string> = new Set()
  return () => {
    const files = namesIn(folder)
    const fresh = files.filter((file) => !known.has(file))
    known = new Set(files)
    if (fresh.length === 0) return null
    const isUrgent = fresh.slice(0, peeked).some((file) => interrupts(join(folder, file)))
    return { priority: isUrgent ? 'interrupt' : 'normal' }
  }
}

/** Whether a file says that it interrupts; a file that was claimed meanwhile says nothing. */
function interrupts(path: string): boolean {
  try {
    return peekPriority(path) === 'interrupt'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
