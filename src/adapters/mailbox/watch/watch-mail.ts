import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Ring } from './doorbell.ts'
import { freshMail } from './fresh-mail.ts'
import { polled, regularLooks, type Timers } from './looks.ts'
import { mailFolders } from '../files/mail-folders.ts'
import { notify, type NotificationEars, type Notifications } from './notify.ts'
import { pollingReason } from './polling-reason.ts'
import { openRushes } from './rush.ts'

export interface WatchOptions {
  /** `<run>/mail`. */
  readonly dir: string
  /** The members of this process. */
  readonly names: readonly string[]
  readonly timers?: Timers
  /** Whether a file that an event names is still to be read; looked for when left out. */
  readonly isUnread?: (file: string) => boolean
  /** Why the folder has to be polled, or null; found out from its filesystem when left out. */
  readonly polling?: string | null
  /** Hears once when the system's notifications fail or cannot be had; from then on mail is found by looking. */
  readonly onProblem?: (message: string) => void
}

export interface MailWatch {
  /** Resolves when every event from now on is seen. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** So many files in one turn of the event loop are better looked for than told of. */
const flood = 32

const systemTimers: Timers = {
  set: (act, ms) => setTimeout(act, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/**
 * Watches the `new/` folders of all members of a process with one watcher. An event is a hint: the file it names, or the
 * folder when it names none, is looked at, and what was not announced before rings once. A look every 2 s, less often
 * while nothing comes, finds what events missed; where the filesystem notifies of nothing, there is one every 250 ms.
 * It never moves a file.
 * @param onRang hears the member's name and the highest priority among its new mail
 * @example const watch = watchMail({ dir: run.mail, names }, doorbell.ring)
 */
export function watchMail(options: WatchOptions, onRang: (name: string, ring: Ring) => void): MailWatch {
  const { dir, names, timers = systemTimers, isUnread } = options
  const folders = names.map((name) => resolve(mailFolders(dir, name).new))
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const boxes = new Map(names.map((name, index) => [name, freshMail(folders[index] ?? '', isUnread)]))
  const nameOf = new Map(names.map((name, index) => [folders[index] ?? '', name]))
  const announce = (name: string, ring: Ring | null | undefined): boolean => {
    if (ring) onRang(name, ring)
    return Boolean(ring)
  }
  const looks = regularLooks(timers, () => {
    const found = [...boxes].map(([name, box]) => announce(name, box.lookIfChanged()))
    return found.includes(true)
  })
  const hints = gathered((folder, files) => {
    const name = nameOf.get(folder) ?? ''
    const box = boxes.get(name)
    if (!box) return
    // The first look remembers the folder's time too, so that the regular ones need not list it.
    const ring = files ? box.lookAt(files) : (box.lookIfChanged() ?? box.look())
    if (announce(name, ring)) looks.hasten()
    if (files && files.size >= flood) rushes.begin(folder, { box, announce: (ring) => announce(name, ring) })
  })
  const notifications = notificationsOf(options, folders, { hint: hints.add, fail: looks.poll })
  const rushes = openRushes(notifications, timers)
  return {
    ready: notifications.ready,
    close() {
      looks.stop()
      hints.stop()
      rushes.stop()
      return notifications.close()
    },
  }
}

interface Heard {
  hint: NotificationEars['hint']
  /** There are no notifications, or no more. */
  fail(): void
}

const ignore = (): void => undefined

function notificationsOf({ dir, polling, onProblem }: WatchOptions, folders: string[], heard: Heard): Notifications {
  let failed = false
  const fail = (message: string): void => {
    if (failed) return
    failed = true
    heard.fail()
    onProblem?.(`mail is looked for every ${polled} ms: ${message}`)
  }
  const reason = polling === undefined ? pollingReason(dir) : polling
  if (reason === null) return notify(folders, { hint: heard.hint, fail })
  fail(reason)
  return { ready: Promise.resolve(), pause: ignore, resume: ignore, close: () => Promise.resolve() }
}

/**
 * The first event is acted upon at once, what follows it in the same turn of the event loop together: a burst for one
 * folder is two looks. `files` is null when it is not known which.
 */
function gathered(act: (folder: string, files: ReadonlySet<string> | null) => void) {
  const waiting = new Map<string, Set<string> | null>()
  let resting = false
  let stopped = false
  const flush = () => {
    const folders = [...waiting]
    waiting.clear()
    resting = folders.length > 0
    // The next turn is asked for last: after a pause each call before the mail costs it tens of microseconds.
    try {
      if (!stopped) for (const [folder, files] of folders) act(folder, files)
    } finally {
      if (resting) setImmediate(flush)
    }
  }
  return {
    add(folder: string, file: string | null) {
      if (stopped) return
      const files = waiting.get(folder)
      if (file === null) waiting.set(folder, null)
      else if (files === undefined) waiting.set(folder, new Set([file]))
      else files?.add(file)
      if (!resting) flush()
    },
    stop() {
      stopped = true
    },
  }
}
