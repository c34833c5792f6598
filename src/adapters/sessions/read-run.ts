import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nameSource, ulidSource } from '../../protocol/words/ids.ts'
import { memberFileSchema, runFileSchema, type MemberFile, type RunFile } from '../../protocol/team/run.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { journalOwners } from './segments.ts'
import { unfinishedPrefix } from './write-json.ts'

/** A run directory by name; `listRuns` opens nothing. */
export interface ListedRun {
  /** `<team>-<ulid>`. */
  readonly id: string
  readonly dir: string
  readonly team: string
}

/** A file of a run directory that could not be taken as it stands. */
export interface RunProblem {
  readonly file: string
  readonly message: string
}

/** Contents of a run directory; a run that was killed while it was made has no `run`. */
export interface RunReading {
  readonly id: string
  readonly dir: string
  readonly run: RunFile | null
  /** By name. */
  readonly members: readonly MemberFile[]
  /** Owners of journals, by name: `team` and members. */
  readonly journals: readonly string[]
  readonly problems: readonly RunProblem[]
}

const runName = new RegExp(`^(${nameSource})-(${ulidSource})$`)

/**
 * The runs under a root, newest first. Other names there are passed over; a missing root has no runs.
 * @param root `<cwd>/.troupe/runs`
 * @example listRuns(join(cwd, '.troupe/runs'))[0]?.dir // the latest run
 */
export function listRuns(root: string): readonly ListedRun[] {
  return namesIn(root)
    .flatMap((id) => {
      const [, team, ulid] = runName.exec(id) ?? []
      return team === undefined || ulid === undefined ? [] : [{ id, dir: join(root, id), team, ulid }]
    })
    .toSorted((a, b) => (a.ulid < b.ulid ? 1 : -1))
    .map(({ id, dir, team }) => ({ id, dir, team }))
}

/**
 * Reads a run directory without touching it; what cannot be read is a problem, never an error.
 * @example const { run, members, problems } = readRun(listRuns(root)[0].dir)
 */
export function readRun(dir: string): RunReading {
  const problems: RunProblem[] = []
  const report: Report = (file, message) => problems.push({ file, message })
  const run = readJson(join(dir, 'run.json'), runFileSchema, report)
  const members = reported(join(dir, 'members'), report, namesIn)
    .toSorted()
    .filter((name) => name.endsWith('.json') && !name.startsWith(unfinishedPrefix))
    .flatMap((name) => readJson(join(dir, 'members', name), memberFileSchema, report) ?? [])
  const journals = reported(join(dir, 'journal'), report, journalOwners)
  return { id: basename(dir), dir, run, members, journals, problems }
}

/** The run file, or null when the directory is no run; {@link readRun} says why. */
export function readRunFile(dir: string): RunFile | null {
  return readJson(join(dir, 'run.json'), runFileSchema, () => undefined)
}

/** How one member is, or null when it never was or the file cannot be read. */
export function readMember(dir: string, name: string): MemberFile | null {
  return readJson(join(dir, 'members', `${name}.json`), memberFileSchema, () => undefined)
}

type Report = (file: string, message: string) => void

interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: Error }
}

function readJson<Value>(file: string, schema: Schema<Value>, report: Report): Value | null {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (parsed.success) return parsed.data
    report(file, `does not follow the contract: ${parsed.error.message}`)
  } catch (error) {
    report(file, errorCode(error) === 'ENOENT' ? 'is missing' : `cannot be read: ${String(error)}`)
  }
  return null
}

function reported(folder: string, report: Report, list: (folder: string) => readonly string[]): readonly string[] {
  try {
    return list(folder)
  } catch (error) {
    report(folder, `cannot be listed: ${String(error)}`)
    return []
  }
}
