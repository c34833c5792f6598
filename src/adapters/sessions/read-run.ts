import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nameSource, ulidSource } from '../../protocol/words/ids.ts'
import { memberFileSchema, runFileSchema, type MemberFile, type RunFile } from '../../protocol/team/run.ts'
import { resolvedTeamSchema } from '../../protocol/team/team-card.ts'
import { specSchema } from '../../protocol/facts/entry.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { journalOwners } from './segments.ts'
import { laterTeam } from './run-directory.ts'
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
  const run = readTeamRun(dir, report)
  const members = reported(join(dir, 'members'), report, namesIn)
    .toSorted()
    .filter((name) => name.endsWith('.json') && !name.startsWith(unfinishedPrefix))
    .flatMap((name) => readJson(join(dir, 'members', name), memberFileSchema, report) ?? [])
  const journals = reported(join(dir, 'journal'), report, journalOwners)
  return { id: basename(dir), dir, run, members, journals, problems }
}

/** Why a directory is no run that can be read, as a sentence for people. */
export function unreadableRun(dir: string): string {
  const { problems } = readRun(dir)
  if (problems.some(({ file }) => file === join(dir, laterTeam))) return `${dir} has an unreadable ${laterTeam}`
  const problem = problems.find(({ file }) => file === join(dir, 'run.json'))
  if (problem?.message.startsWith(otherSpec))
    return `${dir} is a run of another version of Troupe: its run.json ${problem.message}`
  return `${dir} is no run directory: its run.json is missing or unreadable`
}

/** The run file, or null when the directory is no run; {@link unreadableRun} says why. */
export function readRunFile(dir: string): RunFile | null {
  return readTeamRun(dir, () => undefined)
}

/** The run with the team that it began with. */
export function readBegunRun(dir: string): RunFile | null {
  return readJson(join(dir, 'run.json'), runFileSchema, () => undefined)
}

/** The run with the team that runs now: the one that it began with, or a later one. */
function readTeamRun(dir: string, report: Report): RunFile | null {
  const run = readJson(join(dir, 'run.json'), runFileSchema, report)
  const later = join(dir, laterTeam)
  if (run === null || !existsSync(later)) return run
  const team = readJson(later, resolvedTeamSchema, report)
  return team && { ...run, team }
}

/** How one member is, or null when it never was or the file cannot be read. */
export function readMember(dir: string, name: string): MemberFile | null {
  return readJson(join(dir, 'members', `${name}.json`), memberFileSchema, () => undefined)
}

type Report = (file: string, message: string) => void

interface SchemaError {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: SchemaError }
}

function readJson<Value>(file: string, schema: Schema<Value>, report: Report): Value | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    report(
      file,
      specTrouble(value) ??
        `does not follow the contract: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    )
  } catch (error) {
    report(file, errorCode(error) === 'ENOENT' ? 'is missing' : `cannot be read: ${String(error)}`)
  }
  return null
}

const otherSpec = 'has '

/** A file of another contract is named as that: what else differs is no mistake of it. */
function specTrouble(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('team' in value)) return null
  const spec = 'spec' in value ? value.spec : undefined
  if (specSchema.safeParse(spec).success) return null
  const which = spec === undefined ? 'no spec' : `spec ${JSON.stringify(spec)}`
  return `${otherSpec}${which}, and this version reads spec ${specSchema.def.values.join(' and ')}: use the version that made it`
}

function reported(folder: string, report: Report, list: (folder: string) => readonly string[]): readonly string[] {
  try {
    return list(folder)
  } catch (error) {
    report(folder, `cannot be listed: ${String(error)}`)
    return []
  }
}
