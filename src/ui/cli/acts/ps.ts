import { resolve } from 'node:path'
import { summariseRuns, type MemberSummary, type RunSummary } from '../../../runtime/read-runs.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { durationText } from '../figures.ts'
import { print, type Host } from '../host.ts'
import { plainText } from '../plain-text.ts'
import { table } from '../table.ts'

export interface PsOptions {
  readonly all?: true | undefined
  readonly json?: true | undefined
  readonly cwd?: string | undefined
}

/** Lists runs and their members; without `--all` those that are going on. */
export async function ps(options: PsOptions, host: Host): Promise<ExitCode> {
  const all = summariseRuns(resolve(host.cwd, options.cwd ?? '.'))
  const runs = options.all ? all : all.filter(({ state }) => state === 'running')
  if (options.json) {
    await print(host.stdout, `${JSON.stringify(runs, null, 2)}\n`)
    return exitCodes.done
  }
  if (runs.length > 0) await print(host.stdout, runsTable(runs, host.now()))
  else await print(host.stderr, nothingText(all.length))
  for (const { id, problems } of runs) {
    for (const problem of problems) await print(host.stderr, `${id}: ${plainText(problem)}\n`)
  }
  return exitCodes.done
}

function nothingText(others: number): string {
  if (others === 0) return 'No run here yet; start one with: troupe run quickstart\n'
  return `No run is going on; ${others} ended or interrupted: troupe ps --all\n`
}

function runsTable(runs: readonly RunSummary[], now: number): string {
  const rows = runs.flatMap((run) => [runRow(run, now), ...run.members.map(memberRow)])
  return table(['RUN', 'STATE', 'AGE', 'ALIVE', 'UNREAD'], rows)
}

function runRow({ id, state, created, members }: RunSummary, now: number): readonly string[] {
  const age = created === null ? '?' : durationText(now - created)
  const alive = members.filter((member) => member.alive).length
  const unread = members.reduce((sum, member) => sum + member.unread, 0)
  return [id, state, age, `${alive} of ${members.length}`, String(unread)]
}

function memberRow({ name, state, alive, unread }: MemberSummary): readonly string[] {
  return [`- ${name}`, state, '', alive ? 'yes' : 'no', String(unread)]
}
