import type { FSWatcher } from 'chokidar'

/** What hears of changes in folders. */
export interface NotificationEars {
  /** Something happened in a folder, to this file if it is known. */
  hint(folder: string, file: string | null): void
  /** There are no notifications any more. */
  fail(message: string): void
}

/** The system's notifications of some folders. */
export interface Notifications {
  /** Resolves when every event from now on is heard. */
  readonly ready: Promise<void>
  /** Nothing is heard of this folder until it is resumed. */
  pause(folder: string): void
  /** What happens in the next moments may be missed; the folder is hinted at as soon as nothing is missed any more. */
  resume(folder: string): void
  close(): Promise<void>
}

interface RawDetails {
  readonly watchedPath?: string
}

/** Folders that the watcher takes up at one time: what it needs to do so stays in memory for as many as there ever were. */
const together = 50

/**
 * One chokidar watcher on all folders, loaded when it is first needed. It is asked for what the system says (`raw`) and
 * told to pass over the files: following each would cost it more than the mail costs us.
 */
export function notify(folders: string[], { hint, fail }: NotificationEars): Notifications {
  const ready = Promise.withResolvers<void>()
  const watched = new Set(folders)
  const resumed = new Set<string>()
  let closed = false
  const started = import('chokidar').then(({ watch }) => {
    const watcher = watch(folders.slice(0, together), { depth: 0, ignored: (path) => !watched.has(path) })
    if (closed) return watcher
    const addRest = addedInTurn(watcher, folders)
    watcher.on('raw', (_event, file, details) => {
      const { watchedPath } = details as RawDetails
      hint(watchedPath ?? file ?? '', watchedPath === undefined ? null : file)
    })
    watcher.on('addDir', (folder) => {
      // Said in the turn in which the folder is taken up, just before.
      if (resumed.delete(folder)) setImmediate(() => !closed && hint(folder, null))
    })
    watcher.on('error', (error) => fail(String(error)))
    watcher.on('ready', () => {
      addRest()
      // What came before the watch began is found by the look after it.
      for (const folder of folders) hint(folder, null)
      ready.resolve()
    })
    return watcher
  })
  const later = (act: (watcher: Awaited<typeof started>) => void) => void started.then(act)
  return {
    ready: ready.promise,
    pause: (folder) => later((watcher) => watcher.unwatch(folder)),
    resume: (folder) =>
      later((watcher) => {
        resumed.add(folder)
        watcher.add(folder)
      }),
    async close() {
      closed = true
      await (await started).close()
      ready.resolve()
    },
  }
}

/**
 * Adds the folders after the first ones whenever half of those that were added are taken up. The watcher is ready when none
 * is left to take up: once, for all of them.
 * @returns adds at once what is left, should the watcher have passed over too many
 */
function addedInTurn(watcher: FSWatcher, folders: readonly string[]): () => void {
  let added = together
  let taken = 0
  const add = (upTo: number): void => {
    if (added < folders.length) watcher.add(folders.slice(added, upTo))
    added = upTo
  }
  watcher.on('addDir', () => {
    taken += 1
    if (added - taken <= together / 2) add(added + together / 2)
  })
  return () => add(folders.length)
}
