import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pid } from 'node:process'

let writes = 0

/**
 * Replaces a whole file so that a reader sees the old text or the new one, never a mixture. The directory must exist.
 * The data is not forced to the disk: a power cut may lose the last version, a killed process may not.
 *
 * @throws The error of the file system; the file is then as it was and nothing else is left behind.
 * @param mode who may read and write it, less what the umask takes away
 * @example replaceFile('/run/members/lead.json', JSON.stringify(member))
 */
export function replaceFile(path: string, text: string, mode = 0o666): void {
  writes += 1
  const temporary = join(dirname(path), `.${basename(path)}.${pid}-${writes}.tmp`)
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
