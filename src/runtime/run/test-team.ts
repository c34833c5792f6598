import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { readTeamTest } from '../../adapters/teams/read-team-test.ts'
import { unmetExpectations } from '../../projections/work/unmet-expectations.ts'
import type { TeamTest } from '../../protocol/team/team-test.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { durationMs, longestTimer } from '../../protocol/words/duration.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { loadTeam, TeamFileError } from '../team-files/load-team.ts'
import { runTeam } from './run-team.ts'

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
}

export interface TestTeamOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly policyRoot?: string
  /** Allow rules of the team count. */
  readonly trusted: boolean
  readonly now: () => number
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
  const told = (diagnostics: readonly Diagnostic[], more: Partial<TestedTeam>): TestedTeam => {
    const ok = diagnostics.length === 0
    return {
      file,
      ok,
      broken: false,
      cost_usd: null,
      ...more,
      diagnostics,
      duration_ms: Math.max(0, options.now() - began),
    }
  }
  const read = readTeamTest(file)
  if ('diagnostics' in read) return told(read.diagnostics, { broken: true })
  const { test, place } = read
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-test-')))
  const unmet = (key: string, message: string): Diagnostic => {
    return { severity: 'error', code: 'unmet', message: `${key}: ${message}`, file, ...place(key) }
  }
  try {
    const outside = writeFiles(dir, test)
    if (outside !== null)
      return told([unmet('files', `${outside} lies outside of the working directory`)], { broken: true })
    const played = await playTest(dir, test, options)
    const failures = unmetExpectations(test.expect ?? {}, { ...played, cwd: dir })
    return told(
      failures.map(({ key, message }) => unmet(key, message)),
      { cost_usd: played.result.cost_usd },
    )
  } catch (error) {
    if (error instanceof TeamFileError) return told(error.diagnostics, { broken: true })
    return told([unmet('status', error instanceof Error ? error.message : String(error))], {})
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @returns a path that leads out of the directory, or null */
function writeFiles(dir: string, { files = {} }: TeamTest): string | null {
  const outside = Object.keys(files).find((path) => relative(dir, resolve(dir, path)).startsWith('..'))
  if (outside !== undefined) return outside
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return null
}

async function playTest(
  dir: string,
  { team: file, task, cassette, timeout = '2m' }: TeamTest,
  options: TestTeamOptions,
) {
  const { env } = options
  const model = cassette === undefined ? {} : { model: `recorded/${cassette}` }
  const team = await loadTeam(file, { cwd: dir, env, ...model })
  const run = runTeam(team, { ...options, task, cwd: dir, interactive: false, executor: 'in-process' })
  const timer = setTimeout(run.abort, Math.min(durationMs(timeout), longestTimer))
  try {
    const result = await run.result
    return { result, recorded: recordOfRun(run.dir).recorded }
  } finally {
    clearTimeout(timer)
  }
}
