import { flawIn, listedIn, type Shortfall } from '../../projections/team/shortfall.ts'
import { resultOf, type Tally } from '../../projections/team/result.ts'
import { failureText } from '../../protocol/conversation/failure.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import type { TeamEnding } from '../team/provide-team.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'

/** A run that is over, as its parts tell it. */
export interface EndedRun {
  readonly team: ResolvedTeam
  readonly run: { readonly id: string; readonly dir: string }
  readonly task: string
  readonly tally: Tally
  readonly shortfall: Shortfall
  readonly output: TeamEnding
  /** Steps of scripts that no request asked for: a run that completed without them did not do what was written. */
  readonly unused: readonly string[]
  readonly duration_ms: number
}

/** The document that `run --json` prints and `run.result` resolves to. */
export function runResult(ended: EndedRun): RunResult {
  const { team, run, task, tally, shortfall, output, duration_ms } = ended
  const ids = team.members.map(({ name }) => agentId(name, team.name))
  return {
    run: run.id,
    run_dir: run.dir,
    team: team.name,
    task,
    ...verdict(ended),
    result: output.result,
    afterwards: [...output.afterwards],
    ...listedIn(shortfall),
    ...resultOf(tally, ids),
    duration_ms,
  }
}

/** Steps of scripts that nobody asked for. A script of many members may leave many. */
function unusedText(unused: readonly string[]): string {
  const more = unused.length > 3 ? `, and ${unused.length - 3} more` : ''
  return `parts of the script were never used: ${unused.slice(0, 3).join(', ')}${more}`
}

/** A lead's failure is told in its own words, and a script that was not used up is one too. */
function verdict({
  team,
  tally,
  shortfall,
  output,
  unused,
}: EndedRun): Pick<RunResult, 'status' | 'reason' | 'failure'> {
  const { status, reason } = output
  if (status === 'completed' && unused.length > 0) return { status: 'failed', reason: unusedText(unused) }
  if (reason === 'stalled' && shortfall.open.length > 0)
    return { status, reason: `stalled: ${shortfall.open.join(', ')} still open` }
  const flaw = flawIn(shortfall)
  if (flaw?.failure && flaw.reason === reason) return { status, reason, failure: flaw.failure }
  const failure = tally.members.get(team.coordinator)?.failure
  if (status !== 'failed' || !failure) return { status, reason }
  return { status, reason: `${failure.code}: ${failureText(failure)}`, failure }
}
