import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { limited } from '../../adapters/process/limited.ts'
import { readTeamTest, type TeamTestRead } from '../../adapters/teams/read-team-test.ts'
import { unmetExpectations } from '../../projections/work/unmet-expectations.ts'
import type { TeamTest } from '../../protocol/team/team-test.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { durationMs, longestTimer } from '../../protocol/words/duration.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { loadTeam, TeamFileError } from '../team-files/load-team.ts'
import { runTeam } from '../run/run-team.ts'
import { cassetteFor, keepCassette, keepValues, type UpdatedFile } from './update-test.ts'

/** A test of a team and what came of it. */
export interface TestedTeam {
  /** Absolute path of the test file. */
  readonly file: string
  readonly ok: boolean
  /** The file, or the team, has mistakes: nothing ran. */
  readonly broken: boolean
  /** Mistakes of the files, or assertions that do not hold, each with its place. */
  readonly diagnostics: readonly Diagnostic[]
  readonly duration_ms: number
  readonly cost_usd: number | null
  /** Files that were written anew. */
  readonly updated: readonly UpdatedFile[]
}

export interface TestTeamOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly policyRoot?: string
  /** Allow rules of the team count. */
  readonly trusted: boolean
  readonly now: () => number
  /** Records cassettes anew, and writes into test files what a run says exactly. */
  readonly update?: boolean
}

/**
 * Runs the team of a test file in a directory of its own, which is removed afterwards, and holds the run against the assertions.
 *
 * @param file absolute path of a `*.test.yaml`
 * @returns how it went; nothing is thrown for what the files say
 * @example (await testTeam('/home/ada/teams/review.test.yaml', options)).ok
 */
export async function testTeam(file: string, options: TestTeamOptions): Promise<TestedTeam> {
  const began = options.now()
  const read = readTeamTest(file)
  const tested = 'diagnostics' in read ? brokenBy(read.diagnostics) : await tryTest(file, read, options)
  return { file, ok: tested.diagnostics.length === 0, ...tested, duration_ms: Math.max(0, options.now() - began) }
}

type Tested = Pick<TestedTeam, 'broken' | 'diagnostics' | 'cost_usd' | 'updated'>

function brokenBy(diagnostics: readonly Diagnostic[]): Tested {
  return { broken: true, diagnostics, cost_usd: null, updated: [] }
}

async function tryTest(
  file: string,
  { test, place }: Exclude<TeamTestRead, { readonly diagnostics: unknown }>,
  options: TestTeamOptions,
): Promise<Tested> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-test-')))
  const tapes = mkdtempSync(join(tmpdir(), 'troupe-tape-'))
  const wrong = (code: string, path: readonly string[], message: string): Diagnostic => {
    return { severity: 'error', code, message, file, ...place(path) }
  }
  const unmet = (key: string, message: string): Diagnostic =>
    wrong('unmet', ['expect', ...key.split('.')], `${key}: ${message}`)
  try {
    const outside = writeFiles(dir, test)
    if (outside !== null)
      return brokenBy([wrong('invalid_value', ['files', outside], `${outside} lies outside of the working directory`)])
    const { cassette, expect = {} } = test
    const blank = join(tapes, 'blank.yaml')
    const chosen = options.update && cassette !== undefined ? await cassetteFor(cassette, blank) : cassette
    const played = await playTest(dir, { ...test, cassette: chosen }, options)
    const match = (pattern: RegExp, text: string): boolean | null => limited(() => pattern.test(text))
    const run = { ...played, cwd: dir, match }
    const found = unmetExpectations(expect, run)
    const updated = cassette === undefined || played.isLate ? [] : keepCassette(cassette, blank, run)
    const kept =
      options.update && !played.isLate
        ? keepValues(file, { run, expected: expect, unmet: found })
        : { updated: [], unmet: found }
    const diagnostics = kept.unmet.map(({ key, message }) => unmet(key, message))
    const late = `the run took longer than ${played.timeout} and was ended; "timeout" gives it more`
    if (played.isLate && diagnostics.length > 0) diagnostics.unshift(wrong('timeout', ['timeout'], late))
    return { broken: false, diagnostics, cost_usd: played.result.cost_usd, updated: [...updated, ...kept.updated] }
  } catch (error) {
    if (error instanceof TeamFileError) return brokenBy(error.diagnostics)
    return { broken: false, diagnostics: [unmet('status', errorText(error))], cost_usd: null, updated: [] }
  } finally {
    rmSync(tapes, { recursive: true, force: true })
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @returns a path that leads out of the directory, or null */
function writeFiles(dir: string, { files = {} }: TeamTest): string | null {
  const outside = Object.keys(files).find((path) => !isInside(dir, resolve(dir, path)))
  if (outside !== undefined) return outside
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return null
}

async function playTest(
  dir: string,
  {
    team: file,
    task,
    cassette,
    timeout = '2m',
  }: Omit<TeamTest, 'cassette'> & { readonly cassette: string | undefined },
  options: TestTeamOptions,
) {
  const { env } = options
  const model = cassette === undefined ? {} : { model: `recorded/${cassette}` }
  const team = await loadTeam(file, { cwd: dir, env, ...model })
  const run = runTeam(team, { ...options, task, cwd: dir, interactive: false, executor: 'in-process' })
  let isLate = false
  const end = (): void => {
    isLate = true
    run.abort()
  }
  const timer = setTimeout(end, Math.min(durationMs(timeout), longestTimer))
  try {
    const result = await run.result
    return { result, recorded: recordOfRun(run.dir).recorded, isLate, timeout }
  } finally {
    clearTimeout(timer)
  }
}
