import { readlink, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

/** Linux shows under this directory every open descriptor, as a link to what it really is. */
const descriptors = '/proc/self/fd'

/** A path that goes through an open handle and nothing else, or null where the system has no such paths. */
export function throughHandle({ fd }: FileHandle): string | null {
  return process.platform === 'linux' ? `${descriptors}/${fd}` : null
}

/**
 * Where an open handle really lies. On Linux the kernel says it; elsewhere the path is resolved and must be the very
 * file that is open.
 *
 * @returns null when that cannot be said, as of a file that has been removed.
 * @example await handlePath(handle, '/project/link.txt') // '/project/a.txt'
 */
export async function handlePath(handle: FileHandle, path: string): Promise<string | null> {
  const through = throughHandle(handle)
  if (through !== null) {
    const real = await readlink(through)
    return real.endsWith(' (deleted)') && (await isGone(real)) ? null : real
  }
  const real = await realpath(path)
  const [there, open] = await Promise.all([stat(real), handle.stat()])
  return there.dev === open.dev && there.ino === open.ino ? real : null
}

/** A file may be called so and exist all the same. */
async function isGone(real: string): Promise<boolean> {
  return stat(real).then(
    () => false,
    () => true,
  )
}
