import { watch, type FSWatcher } from 'node:fs'

/** Between two looks: where the system notifies, and where it does not. */
const reconcileMs = 1_000
const polledMs = 100

/**
 * Hears that something in a folder may have changed. The system's notifications are hints; a look every second finds
 * what they missed, and where there are none there are ten looks a second.
 * @param folder must exist
 * @param changed gets the name of the file, or null when it may be any
 * @returns the end of the watch
 * @example const stop = watchFolder(join(dir, 'orders'), () => obey(readOrders(dir, name)))
 */
export function watchFolder(folder: string, changed: (name: string | null) => void): () => void {
  let watcher: FSWatcher | null = null
  let timer: NodeJS.Timeout
  const look = (ms: number): void => {
    clearInterval(timer)
    timer = setInterval(() => changed(null), ms).unref()
  }
  try {
    watcher = watch(folder, (_, name) => changed(name))
    watcher.on('error', () => look(polledMs))
  } catch {
    // No notifications to be had (their limit is reached, the filesystem has none).
  }
  look(watcher ? reconcileMs : polledMs)
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}
