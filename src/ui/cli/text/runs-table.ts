import type { Activity } from '../../../runtime/runs/run-activity.ts'
import type { MemberSummary, RunSummary } from '../../../runtime/runs/read-runs.ts'
import { partText } from '../../../projections/screen/roster.ts'
import { dollarsText, durationText } from '../../text/figures.ts'
import { plainLine } from '../../text/plain-text.ts'
import { fitWidth, widthOf } from '../../text/terminal-text.ts'
import { table } from './table.ts'

/** A run with what its journals tell of its progress. */
export type ShownRun = RunSummary & Activity

/** States are cut to so many columns: a member may wait for many. */
const widestState = 24
/** Names of members are cut to no less. */
const narrowestName = 8

/**
 * Runs and their members: one table where its rows fit on the screen, else a table for each run under its id, which is
 * never cut.
 *
 * @param now milliseconds since the Unix epoch
 * @param screen columns of the terminal; a pipe has none
 */
export function runsTable(runs: readonly ShownRun[], now: number, screen = Infinity): string {
  const rows = runs.flatMap((run) => [
    [run.id, standing(run), pidText(run.pid), ageText(run, now), ...sums(run)],
    ...run.members.map((member) => [`- ${member.name}`, ...stateAndPid(member, run), '', ...figures(member, run)]),
  ])
  const wide = table(['RUN', 'STATE', 'PID', 'AGE', 'ALIVE', 'COST', 'UNREAD', 'WAITS FOR YOU'], rows)
  return widthOfAll(wide) <= screen ? wide : runs.map((run) => narrowTable(run, now, screen)).join('\n')
}

function narrowTable(run: ShownRun, now: number, screen: number): string {
  const about = `${standing(run)}  ${ageText(run, now)}`
  const head = `${run.id}  ${about}`
  const rows = [
    ...run.members.map((member) => [plainLine(member.name), ...stateAndPid(member, run), ...figures(member, run)]),
    ['all', '', pidText(run.pid), ...sums(run)],
  ]
  const withNames = (columns: number): string =>
    table(
      ['MEMBER', 'STATE', 'PID', 'ALIVE', 'COST', 'UNREAD', 'FOR YOU'],
      rows.map(([name = '', ...rest]) => [fitWidth(name, columns), ...rest]),
    )
  const longest = Math.max(...rows.map(([name = '']) => widthOf(name)))
  const over = Math.max(0, widthOfAll(withNames(longest)) - screen)
  const members = withNames(Math.max(narrowestName, longest - over))
  return `${widthOf(head) <= screen ? head : `${run.id}\n${about}`}\n${members}`
}

function widthOfAll(text: string): number {
  return Math.max(...text.split('\n').map(widthOf))
}

function standing({ state, stale }: ShownRun): string {
  return stale ? `${state} (stale)` : state
}

function ageText({ created }: ShownRun, now: number): string {
  return created === null ? '?' : durationText(now - created)
}

/** The figures of a run as a whole. */
function sums({ members, cost_usd }: ShownRun): readonly string[] {
  const alive = members.filter((member) => member.alive).length
  const unread = members.reduce((sum, member) => sum + member.unread, 0)
  const waits = members.reduce((sum, member) => sum + member.waits_for_you, 0)
  return [`${alive} of ${members.length}`, costText(cost_usd), String(unread), waitsText(waits)]
}

function stateAndPid(member: MemberSummary, run: ShownRun): readonly string[] {
  return [fitWidth(stateText(member, run), widestState), pidText(member.pid)]
}

/** A member that was at work when its process went did not come to an end. */
function stateText({ name, state, alive }: MemberSummary, { hung, waits, troubles, parts }: ShownRun): string {
  if (alive && hung.includes(name)) return `${state} (hung)`
  const isAtWork = state === 'starting' || state === 'busy' || state === 'draining'
  if (troubles[name] !== undefined && !(alive && isAtWork)) return 'failed'
  if (!alive && isAtWork) return 'interrupted'
  if (state === 'idle' && waits[name] !== undefined) return alive ? waits[name] : 'interrupted'
  const part = alive ? parts[name] : undefined
  return part === undefined ? state : `${state} ${partText(part)}`
}

function figures({ name, alive, unread, waits_for_you }: MemberSummary, { costs }: ShownRun): readonly string[] {
  const cost = costs[name]
  return [alive ? 'yes' : 'no', cost === undefined ? '' : costText(cost), String(unread), waitsText(waits_for_you)]
}

function pidText(pid: number | null): string {
  return pid === null ? '' : String(pid)
}

function costText(usd: number | null): string {
  return usd === null ? 'unknown' : dollarsText(usd)
}

function waitsText(waits: number): string {
  return waits === 0 ? '' : String(waits)
}
