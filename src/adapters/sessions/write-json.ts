import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Prefix of files that are being written; readers pass over them. */
export const unfinishedPrefix = '.unfinished-'

/**
 * Replaces a JSON file (0600) as a whole: a reader sees the old document or the new one, never a part.
 * Throws what the disk says; the old document stands then.
 */
export function writeJson(path: string, value: unknown): void {
  writePrivate(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Replaces a file of any content in the same way. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  const unfinished = join(dirname(path), `${unfinishedPrefix}${process.pid}-${basename(path)}`)
  try {
    writeFileSync(unfinished, content, { mode: 0o600 })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
