import { channel } from 'node:diagnostics_channel'
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'

/** Tells whoever listens each path that is on the disk now. Nobody has to. */
const synced = channel('troupe:sync')

/**
 * Puts the names in a folder on the disk, so that a power cut does not unname what was made there.
 *
 * @throws what the disk says
 */
export function syncFolder(folder: string): void {
  syncPath(folder, fsyncSync)
}

/**
 * Puts the content of a file on the disk, without its name.
 *
 * @throws what the disk says
 */
export function syncFile(path: string): void {
  syncPath(path, fdatasyncSync)
}

/** The same for a file that is open for writing. */
export function syncOpenFile(fd: number, path: string): void {
  fdatasyncSync(fd)
  synced.publish(path)
}

function syncPath(path: string, sync: (fd: number) => void): void {
  const fd = openSync(path, 'r')
  try {
    sync(fd)
  } finally {
    closeSync(fd)
  }
  synced.publish(path)
}
