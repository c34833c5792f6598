import type { TeamOutput } from '../../machines/team.ts'
import { resultOf, type Tally } from '../projections/result.ts'
import { agentId } from '../protocol/ids.ts'
import type { RunResult } from '../protocol/run.ts'
import type { ResolvedTeam } from '../protocol/team-card.ts'

/** A run that is over, as its parts tell it. */
export interface EndedRun {
  readonly team: ResolvedTeam
  readonly run: { readonly id: string; readonly dir: string }
  readonly task: string
  readonly tally: Tally
  readonly output: TeamOutput
  /** Steps of scripts that no request asked for: a run that completed without them did not do what was written. */
  readonly unused: readonly string[]
  readonly duration_ms: number
}

/** The document that `run --json` prints and `run.result` resolves to. */
export function runResult({ team, run, task, tally, output, unused, duration_ms }: EndedRun): RunResult {
  const ids = team.members.map(({ name }) => agentId(name, team.name))
  const strayed = output.status === 'completed' && unused.length > 0
  const verdict = strayed ? { status: 'failed' as const, reason: unused.join('; ') } : output
  return {
    run: run.id,
    run_dir: run.dir,
    team: team.name,
    task,
    status: verdict.status,
    reason: verdict.reason,
    result: output.result,
    ...resultOf(tally, ids),
    duration_ms,
  }
}
