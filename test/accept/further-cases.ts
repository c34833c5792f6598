import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Cases that do not lie in the repository: `TROUPE_CASES` names their folder. Without the folder their tests are skipped.
 *
 * @param area `hooks`, `skills`, `wire`
 */
export function furtherCases(area: string): { readonly folder: string; readonly present: boolean } {
  const { TROUPE_CASES: cases = '' } = process.env
  const folder = join(resolve(cases), area)
  return { folder, present: cases !== '' && existsSync(folder) }
}
