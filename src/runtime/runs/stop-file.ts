import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import { stopFileSchema, type StopFile } from '../../protocol/team/run.ts'

/** Who stopped a run, and why; null when nobody did. */
export function stopOf(dir: string): StopFile | null {
  try {
    const parsed = stopFileSchema.safeParse(parseJson(readFileSync(stopFile(dir), 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    // There is none.
    return null
  }
}

/** Where the tombstone of a run lies. */
export function stopFile(dir: string): string {
  return join(dir, 'stopped.json')
}
