import { notify } from './notify.ts'

/** Milliseconds between two looks where the system notifies, and where it does not. */
const reconcileMs = 1_000
const polledMs = 100

/**
 * Watches a folder. Notifications are hints; a look every second finds what they missed, and ten looks a second replace
 * them where there are none.
 * @param folder must exist
 * @param changed gets the name of the file, or null when it may be any
 * @returns the end of the watch
 * @example const stop = watchFolder(join(dir, 'orders'), () => obey(readOrders(dir, name)))
 */
export function watchFolder(folder: string, changed: (name: string | null) => void): () => void {
  const looksEvery = (ms: number): NodeJS.Timeout => setInterval(() => changed(null), ms).unref()
  let looks = looksEvery(reconcileMs)
  const notifications = notify([folder], {
    changed: (_, file) => changed(file),
    failed() {
      clearInterval(looks)
      looks = looksEvery(polledMs)
    },
  })
  return () => {
    clearInterval(looks)
    void notifications.close()
  }
}
