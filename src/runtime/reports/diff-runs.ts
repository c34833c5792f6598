import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { emptySpending, type Spending } from '../../projections/cost/cost.ts'
import { elapsed } from '../actors/clock.ts'
import { beginOfRun, endOfRun } from '../../projections/team/run-end.ts'
import { compareWork, type ComparedWork, type Sides } from '../../projections/work/compare-work.ts'
import { workDone } from '../../projections/work/pieces-of-work.ts'
import type { RunStatus } from '../../protocol/facts/fact.ts'
import { teamDifferences } from '../team-files/team-difference.ts'
import { readCost } from '../runs/read-cost.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** One of two runs that are compared. */
export interface DiffedRun extends Pick<Spending, 'answers' | 'usage' | 'cost_usd'> {
  readonly run: string
  /** Null for a run that has not ended. */
  readonly status: RunStatus | null
  readonly result: string | null
  /** From its first fact to its last, in milliseconds. */
  readonly duration_ms: number
}

export interface RunDiff {
  readonly a: DiffedRun
  readonly b: DiffedRun
  /** The differences of the team that b ended with from that of a, in words. */
  readonly team: readonly string[]
  readonly work: readonly ComparedWork[]
  /** Files that only one run changed, or that both left with other contents: the SHA-256 or `gone`, null where a run did not change it. */
  readonly files: readonly ({ readonly path: string } & Sides<string>)[]
  /** Both took the same path to the same answers, and left the same files. */
  readonly same: boolean
}

/** A run that cannot be compared, and why. */
export class NotComparable extends UsageError {
  override readonly name = 'NotComparable'
}

/**
 * Compares two runs by what they did: task by task the calls, the answer and the cost, and the files that they left.
 *
 * @param a directory of the one run
 * @param b directory of the other
 * @throws NotComparable when one of them cannot be read
 * @example diffRuns(yesterday, today).work.filter(({ same }) => !same)
 */
export function diffRuns(a: string, b: string): RunDiff {
  const [one, other] = [read(a), read(b)]
  const work = compareWork(one.work, other.work)
  const files = differingFiles(one, other)
  const same = work.every((piece) => piece.same) && files.length === 0
  return { a: one.run, b: other.run, team: teamDifferences(one.team, other.team), work, files, same }
}

function read(dir: string) {
  const { run: file } = readRun(dir)
  if (file === null) throw new NotComparable(unreadableRun(dir))
  const { id, recorded } = recordOfRun(dir)
  const end = endOfRun(recorded.map(({ entry }) => entry))
  const { answers, usage, cost_usd } = { ...emptySpending(), ...readCost(dir).total }
  const began = beginOfRun(recorded, file.created)
  const duration_ms = elapsed(began, recorded.at(-1)?.entry.at ?? began)
  const run = {
    run: id,
    status: end?.status ?? null,
    result: end?.result ?? null,
    duration_ms,
    answers,
    usage,
    cost_usd,
  }
  return { run, team: file.team, cwd: file.cwd, work: workDone(recorded) }
}

/** By their paths in the working directory of each run, and in the worktrees of the members there. */
function differingFiles(a: ReturnType<typeof read>, b: ReturnType<typeof read>): RunDiff['files'] {
  const inside = ({ work, cwd, run: { run } }: ReturnType<typeof read>) => {
    const [own, trees] = [`${cwd}/`, `.troupe/worktrees/${run}/`]
    const short = (path: string): string => (path.startsWith(own) ? path.slice(own.length) : path)
    const named = (path: string): string =>
      path.startsWith(trees) ? `.troupe/worktrees/…/${path.slice(trees.length)}` : path
    return new Map([...work.files].map(([path, hash]) => [named(short(path)), hash]))
  }
  const [one, two] = [inside(a), inside(b)]
  const paths = [...new Set([...one.keys(), ...two.keys()])].toSorted()
  return paths.flatMap((path) => {
    const isEqual = one.has(path) && two.has(path) && one.get(path) === two.get(path)
    return isEqual ? [] : [{ path, a: one.get(path) ?? null, b: two.get(path) ?? null }]
  })
}
