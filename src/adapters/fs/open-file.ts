import { constants } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import type { FileTrouble, OpenFile } from '../../protocol/tools/filesystem.ts'
import { movedPath, troubleOf } from './file-trouble.ts'

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a regular file for reading. Directories, pipes, sockets and devices are refused without ever waiting on them:
 * what was opened is what is looked at, so nothing can be swapped in between.
 *
 * @param led Where the path led when permission was given; another place is refused.
 * @example const opened = await openFile('/project/a.txt')
 */
export async function openFile(path: string, led?: string): Promise<OpenFile | FileTrouble> {
  let handle: FileHandle
  try {
    handle = await open(path, flags)
  } catch (error) {
    return troubleOf(error, path)
  }
  const opened = await looked(handle, path, led).catch((error: unknown) => troubleOf(error, path))
  if ('trouble' in opened) await handle.close()
  return opened
}

async function looked(handle: FileHandle, path: string, led: string | undefined): Promise<OpenFile | FileTrouble> {
  const [stat, real] = await Promise.all([handle.stat(), handlePath(handle, path)])
  if (stat.isDirectory()) return { trouble: `${path} is a directory; use LS.`, why: 'other' }
  if (!stat.isFile()) return { trouble: `${path} is not a regular file.`, why: 'other' }
  if (real === null) return { trouble: `${path} was removed meanwhile.`, why: 'absent' }
  if (led !== undefined && real !== led) return movedPath(path, led, real)
  return {
    real,
    size: stat.size,
    read: async (buffer) => (await handle.read(buffer, 0, buffer.length, null)).bytesRead,
    bytes: (most = stat.size) => firstBytes(handle, Math.min(most, stat.size)),
    close: () => handle.close(),
  }
}

/** By position, so that what was read before does not matter; a file that grows meanwhile is read as it was opened. */
async function firstBytes(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}

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
