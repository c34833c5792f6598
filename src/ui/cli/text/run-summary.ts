import type { RunResult } from '../../../protocol/team/run.ts'
import { tokensOf } from '../../../projections/cost/cost.ts'
import { type Paint, plainLine } from '../../text/terminal-text.ts'
import { shortPath } from './diagnostics-text.ts'
import { dollarsText, durationText, tokensText } from '../../text/figures.ts'

/** How a run ended, in lines for stderr: status and figures, directory, where to read on and how to go on. */
export function runSummary(result: RunResult, cwd: string, paint: Paint): string {
  const turns = result.members.reduce((sum, member) => sum + member.turns, 0)
  const figures = [
    durationText(result.duration_ms),
    `${turns} turns`,
    `${tokensText(tokensOf(result.usage))} tokens`,
    ...(result.cost_usd === null ? [] : [dollarsText(result.cost_usd)]),
  ]
  const good = result.status === 'completed'
  const status =
    good || result.reason === result.status ? result.status : `${result.status}: ${plainLine(result.reason)}`
  return [
    `${paint(good ? 'green' : 'red', status)} · ${figures.join(' · ')}`,
    `run ${shortPath(result.run_dir, cwd)}`,
    `read it: troupe logs ${result.run}`,
    // A run that failed because of a key or a server keeps its conversation and goes on when the cause is mended.
    ...(result.status === 'interrupted' ? [`go on with it: troupe resume ${result.run}`] : []),
    ...(result.failure === undefined ? [] : [`go on with it: troupe continue ${result.run} "Go on."`]),
    '',
  ].join('\n')
}
