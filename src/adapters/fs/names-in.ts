import { readdirSync } from 'node:fs'
import { errorCode } from './error-code.ts'

/**
 * Names in a folder, in no order; what is not there, or is no folder, has none.
 *
 * @throws what else the disk says: a folder that cannot be listed is not an empty one
 * @example namesIn('/run/journal') // ['lead.jsonl', 'team.jsonl']
 */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
