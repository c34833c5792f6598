import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Puts the names in a folder on the disk, so that a power cut does not unname what was made there.
 *
 * @throws what the disk says
 */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
