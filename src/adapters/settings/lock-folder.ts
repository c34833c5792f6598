/** A lock whose holder did not touch it for so long (ms) is nobody's. */
const stale = 10_000
const retries = { retries: 200, factor: 1.2, minTimeout: 10, maxTimeout: 250, randomize: true }

/**
 * Locks a folder against other processes that do the same, and waits for one that has the lock.
 *
 * @param file the lock; absolute
 * @returns how to unlock it
 * @throws with the code `ELOCKED` when another process never ends
 * @example const release = await lockFolder('/home/ann/.troupe/plugins', '/home/ann/.troupe/plugins/.lock')
 */
export async function lockFolder(folder: string, file: string): Promise<() => Promise<void>> {
  const { lock } = await import('proper-lockfile')
  return lock(folder, { realpath: false, lockfilePath: file, stale, retries })
}
