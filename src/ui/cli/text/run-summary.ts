import type { RunResult } from '../../../protocol/team/run.ts'
import { tokensOf } from '../../../projections/cost/cost.ts'
import { pieceText } from '../../../projections/team/shortfall.ts'
import { plainLine } from '../../text/plain-text.ts'
import { fitWidth, type Paint } from '../../text/terminal-text.ts'
import { cwdOption, shortPath } from './diagnostics-text.ts'
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
  const there = cwdOption(result.run_dir, cwd)
  return [
    ...result.afterwards.map((text) => fitWidth(`after its answer the lead said: ${plainLine(text)}`, 160)),
    ...shortfallLines(result).map((line) => paint('yellow', fitWidth(plainLine(line), 160))),
    `${paint(good ? 'green' : 'red', status)} · ${figures.join(' · ')}`,
    ...(result.members.some(({ reason }) => reason === 'cut') ? [cutRemedy] : []),
    `run ${shortPath(result.run_dir, cwd)}`,
    `read it: troupe logs ${result.run}${there}`,
    // A run that failed because of a key or a server keeps its conversation and goes on when the cause is mended.
    ...(result.status === 'interrupted' ? [`go on with it: troupe resume ${result.run}${there}`] : []),
    ...(result.failure === undefined ? [] : [`go on with it: troupe continue ${result.run} "Go on."${there}`]),
    '',
  ].join('\n')
}

const cutRemedy = 'an answer was cut at its limit: raise `max_output` where the model allows more, or split the task'

const shownDenials = 5

/** Pieces and calls that the answer had to do without. */
function shortfallLines({ missing, denied, denied_more = 0 }: RunResult): readonly string[] {
  const more = denied.length - shownDenials + denied_more
  return [
    ...missing.map((piece) => `without ${piece.worker} (${piece.request}): ${pieceText(piece)}`),
    ...denied.slice(0, shownDenials).map(({ member, tool, reason }) => `denied: ${member}: ${tool}: ${reason}`),
    ...(more > 0 ? [`denied: ${more} more calls`] : []),
  ]
}
