import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import { stopFileSchema, type StopFile } from '../../protocol/team/run.ts'

/** The person who stopped a run and the reason; null for a run that was not stopped. */
export function stopOf(dir: string): StopFile | null {
  try {
    const parsed = stopFileSchema.safeParse(parseJson(readFileSync(stopFile(dir), 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Where the tombstone of a run lies. */
export function stopFile(dir: string): string {
  return join(dir, 'stopped.json')
}
