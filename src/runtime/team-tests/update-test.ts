import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../../adapters/fs/replace-file.ts'
import { blankCassette } from '../../adapters/models/scripted/recorded.ts'
import { withNewValues, type NewValue } from '../../adapters/teams/update-team-test.ts'
import { saidExactly, type TestedRun, type UnmetExpectation } from '../../projections/work/unmet-expectations.ts'
import type { Expectations } from '../../protocol/team/team-test.ts'

/** A file of a test that was written anew. */
export interface UpdatedFile {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** The cassette of a test that is updated: a blank one where the old one recorded a model. */
export async function cassetteFor(cassette: string, blank: string): Promise<string> {
  return (await blankCassette(cassette, blank)) ? blank : cassette
}

/**
 * Puts what was recorded anew in the place of the old cassette. Where a model failed the old one stays.
 * @returns the file, or none
 */
export function keepCassette(cassette: string, blank: string, { result }: TestedRun): readonly UpdatedFile[] {
  if (!existsSync(blank) || result.failure !== undefined || result.members.some(({ reason }) => reason === 'failed'))
    return []
  return written(cassette, readFileSync(blank, 'utf8'))
}

/**
 * Writes into a test file what a run says exactly, in the place of values that do not hold.
 * @returns the file where it was written, and the assertions that still do not hold
 */
export function keepValues(
  file: string,
  {
    run,
    expected,
    unmet,
  }: { readonly run: TestedRun; readonly expected: Expectations; unmet: readonly UnmetExpectation[] },
): { readonly updated: readonly UpdatedFile[]; readonly unmet: readonly UnmetExpectation[] } {
  const stated = (key: string): boolean =>
    key
      .split('.')
      .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], expected) !== undefined
  const values = unmet.flatMap(({ key }): readonly (NewValue & { readonly key: string })[] => {
    const value = stated(key) ? saidExactly(key, run) : null
    return value === null ? [] : [{ key, path: ['expect', ...key.split('.')], value }]
  })
  const updated = written(file, withNewValues(readFileSync(file, 'utf8'), values))
  return { updated, unmet: unmet.filter(({ key }) => !values.some((value) => value.key === key)) }
}

function written(file: string, after: string): readonly UpdatedFile[] {
  const before = readFileSync(file, 'utf8')
  if (before === after) return []
  replaceFile(file, after)
  return [{ file, before, after }]
}
