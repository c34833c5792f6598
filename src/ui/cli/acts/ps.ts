import { activityOf, type Activity } from '../../../runtime/runs/run-activity.ts'
import { summariseRuns, type MemberSummary, type RunSummary } from '../../../runtime/runs/read-runs.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { dollarsText, durationText } from '../../text/figures.ts'
import { print, printJson, type Host } from '../host/host.ts'
import { plainText } from '../../text/terminal-text.ts'
import type { RunChoice } from '../runs/run-choice.ts'
import { sweep } from '../runs/sweep.ts'
import { table } from '../text/table.ts'
import { workingDirectory } from '../host/working-directory.ts'

export interface PsOptions extends RunChoice {
  readonly all?: true | undefined
}

/** Lists runs and their members; without `--all` those that are going on or could. */
export async function ps(options: PsOptions, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  await sweep(cwd, host)
  const all = summariseRuns(cwd)
  const listed = options.all ? all : all.filter(({ state, stale }) => state === 'running' || stale)
  const runs = listed.map((run) => ({ ...run, ...activityOf(run) }))
  if (options.json) {
    await printJson(host.stdout, runs)
    return exitCodes.done
  }
  if (runs.length > 0) await print(host.stdout, runsTable(runs, host.now()))
  else await print(host.stderr, nothingText(all.length))
  for (const run of runs) await remark(run, host)
  return exitCodes.done
}

async function remark({ id, stale, problems }: RunSummary, host: Host): Promise<void> {
  if (stale) await print(host.stderr, `${id} is stale: nobody leads it; troupe resume ${id}, or troupe stop ${id}\n`)
  for (const problem of problems) await print(host.stderr, `${id}: ${plainText(problem)}\n`)
}

function nothingText(others: number): string {
  if (others === 0) return 'No run here yet; start one with: troupe run quickstart\n'
  return `No run is going on; ${others} ended or interrupted: troupe ps --all\n`
}

type Listed = RunSummary & Activity

function runsTable(runs: readonly Listed[], now: number): string {
  const rows = runs.flatMap((run) => [runRow(run, now), ...run.members.map((member) => memberRow(member, run))])
  return table(['RUN', 'STATE', 'PID', 'AGE', 'ALIVE', 'COST', 'UNREAD', 'WAITS FOR YOU'], rows)
}

function runRow({ id, state, stale, pid, created, members, cost_usd }: Listed, now: number): readonly string[] {
  const age = created === null ? '?' : durationText(now - created)
  const alive = members.filter((member) => member.alive).length
  const unread = members.reduce((sum, member) => sum + member.unread, 0)
  const waits = members.reduce((sum, member) => sum + member.waits_for_you, 0)
  const standing = stale ? `${state} (stale)` : state
  return [
    id,
    standing,
    pidText(pid),
    age,
    `${alive} of ${members.length}`,
    costText(cost_usd),
    String(unread),
    waitsText(waits),
  ]
}

function memberRow(member: MemberSummary, { costs, hung }: Listed): readonly string[] {
  const { name, state, alive, pid, unread, waits_for_you } = member
  const standing = alive && hung.includes(name) ? `${state} (hung)` : state
  const cost = costs[name]
  return [
    `- ${name}`,
    standing,
    pidText(pid),
    '',
    alive ? 'yes' : 'no',
    cost === undefined ? '' : costText(cost),
    String(unread),
    waitsText(waits_for_you),
  ]
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
