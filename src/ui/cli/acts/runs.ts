import { warnUnfenced } from '../runs/warn-unfenced.ts'
import { clearEnded, collectRuns, weighRuns, type WeighedRun } from '../../../runtime/upkeep/keep-runs.ts'
import { durationText } from '../../text/figures.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import {
  noteTo,
  print,
  printJson,
  type Host,
  type Flags,
  type Values,
  printEither,
  workingDirectory,
} from '../host/host.ts'
import { runDirectoriesIn } from '../../../runtime/runs/answer-approval.ts'
import { watchRuns } from '../../../runtime/runs/take-over.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { memberAndRun, type RunChoice, runDirectoryOf } from '../runs/run-choice.ts'
import { runsTable } from '../text/runs-table.ts'
import { table } from '../text/table.ts'
import { UserError } from '../host/user-error.ts'
import { activityOf } from '../../../runtime/runs/run-activity.ts'
import { summariseRuns, type RunSummary } from '../../../runtime/runs/read-runs.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { systemClock } from '../../../runtime/actors/clock.ts'
import { sweepRuns } from '../../../runtime/upkeep/sweep-runs.ts'
import { basename } from 'node:path'
import { stopMember } from '../../../runtime/upkeep/stop-member.ts'
import { restartMember } from '../../../runtime/upkeep/restart-member.ts'
import { stopRun } from '../../../runtime/upkeep/stop-run.ts'

export type RunsGcOptions = RunChoice & Flags<'dryRun'> & Values<'olderThan' | 'keep' | 'maxSize', number>

/** Lists runs with what they take up. */
export async function runsLs(options: RunChoice, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  await sweep(cwd, host)
  const runs = weighRuns(cwd)
  if (options.json) await printJson(host.stdout, runs.map(shown))
  else if (runs.length === 0) await print(host.stderr, 'No runs here.\n')
  else await print(host.stdout, sizesTable(runs, host.now()))
  return exitCodes.done
}

/** Removes what is not to be kept. */
export async function runsGc(options: RunsGcOptions, host: Host): Promise<ExitCode> {
  const { olderThan, keep, maxSize, dryRun = false, json } = options
  if (olderThan === undefined && keep === undefined && maxSize === undefined) {
    throw new UserError('say what is to go: --older-than 30d, --keep 20 or --max-size 500M; --dry-run only shows it')
  }
  const cwd = workingDirectory(options.cwd, host)
  // With a run goes the word of what it left.
  await (dryRun ? watch(cwd, host) : sweep(cwd, host))
  const now = host.now()
  const gone = collectRuns({ cwd, home: host.home, now, dryRun, olderThanMs: olderThan, keep, maxBytes: maxSize })
  if (json) await printJson(host.stdout, gone.map(shown))
  else if (gone.length > 0) await print(host.stdout, sizesTable(gone, now))
  const bytes = gone.reduce((sum, run) => sum + run.bytes, 0)
  await print(host.stderr, `${gone.length} runs, ${sizeText(bytes)} ${dryRun ? 'would be removed' : 'removed'}\n`)
  const cleared = dryRun ? 0 : clearEnded(cwd, systemClock())
  if (cleared > 0) await print(host.stderr, `${cleared} files that ended runs had left removed\n`)
  return exitCodes.done
}

function shown({ id, dir, team, state, created, bytes }: WeighedRun): object {
  return { id, dir, team, state, created, bytes }
}

function sizesTable(runs: readonly WeighedRun[], now: number): string {
  const rows = runs.map(({ id, state, created, bytes }) => [
    id,
    state,
    created === null ? '?' : durationText(now - created),
    sizeText(bytes),
  ])
  return table(['RUN', 'STATE', 'AGE', 'SIZE'], rows)
}

function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} KiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** Lists runs and their members; without `--all` those that are going on or could. */
export async function ps(options: RunChoice & Flags<'all'>, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  await sweep(cwd, host)
  await warnUnfenced(cwd, host)
  const all = summariseRuns(cwd)
  const listed = options.all ? all : all.filter(({ state, stale }) => state === 'running' || stale)
  const runs = listed.map((run) => ({ ...run, ...activityOf(run) }))
  if (options.json) {
    await printJson(host.stdout, runs)
    return exitCodes.done
  }
  if (runs.length > 0) await print(host.stdout, runsTable(runs, host.now(), host.stdout.columns))
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

/** Makes clear which runs of a directory are led. */
function watch(cwd: string, host: Host): Promise<void> {
  return watchRuns(runDirectoriesIn(cwd), noteTo(host))
}

/** Makes clear which runs of a directory are led, takes away what killed ones left, and says what it did. */
async function sweep(cwd: string, host: Host): Promise<void> {
  await watch(cwd, host)
  const swept = await sweepRuns({ cwd, home: host.home, env: host.env, clock: systemClock() })
  for (const text of swept) await print(host.stderr, `${plainText(text)}\n`)
}

const said = {
  ended: 'is stopped: it ended in order',
  killed: 'is stopped: its leader did not end and was killed',
  gone: 'is stopped: its leader was gone already',
  over: 'had ended before; nothing is changed',
} as const

type StopOptions = RunChoice & Values<'reason'> & Values<'grace', number> & Flags<'now'>

/** Stops a run for good, or one of its workers. */
export async function stop(name: string, options: StopOptions, host: Host): Promise<ExitCode> {
  const { member, run: named } = memberAndRun(name)
  if (member !== null) return stopWorkerOf(named, member, { options, host })
  if (options.now || options.grace !== undefined)
    throw new UserError(`--now and --grace are for one worker: troupe stop <name>@${name}`)
  const dir = runDirectoryOf(name, options, host)
  const run = basename(dir)
  const { reason = 'troupe stop' } = options
  const outcome = await stopRun({ run: dir, cwd: host.cwd, env: host.env, reason, onNote: noteTo(host) })
  await printEither({ document: { run, outcome }, text: `${run} ${said[outcome]}` }, options, host)
  return exitCodes.done
}

const saidOfRestart = {
  restarted: 'is restarted, with its conversation',
  refused: 'is not started',
  pending: 'is not back yet; troupe ps shows whether it is',
} as const

/** Restarts one member of a run. */
export async function restart(name: string, options: RunChoice, host: Host): Promise<ExitCode> {
  const { member, run: named } = memberAndRun(name)
  const run = runDirectoryOf(named, options, host)
  if (member === null)
    throw new UserError(`which member of ${name}? Give it as name@${name}; troupe resume goes on with a whole run`)
  const restarted = await restartMember({ run, member, cwd: host.cwd, home: host.home }).catch((error: unknown) => {
    throw new UserError(errorText(error))
  })
  const { outcome, reason } = restarted
  const text = `${member} ${saidOfRestart[outcome]}${reason === undefined ? '' : `: ${reason}`}`
  await printEither({ document: restarted, text: plainLine(text) }, options, host)
  return outcome === 'restarted' ? exitCodes.done : exitCodes.failed
}

const saidOfWorker = {
  stopped: 'is stopped; the others go on',
  refused: 'does not stop',
  pending: 'has not stopped yet; troupe ps shows whether it did',
} as const

async function stopWorkerOf(
  named: string | undefined,
  member: string,
  { options, host }: { readonly options: StopOptions; readonly host: Host },
): Promise<ExitCode> {
  const { reason = 'troupe stop', now = false, grace } = options
  if (now && grace !== undefined) throw new UserError('give --now or --grace, not both')
  const run = runDirectoryOf(named, options, host)
  const wait = now ? 0 : grace
  const stopped = await stopMember({
    run,
    member,
    cwd: host.cwd,
    home: host.home,
    reason,
    ...(wait !== undefined && { graceMs: wait }),
  }).catch((error: unknown) => {
    throw new UserError(errorText(error))
  })
  const { outcome, reason: why } = stopped
  const because = why === undefined ? '' : `: ${why}`
  await printEither(
    { document: stopped, text: plainLine(`${member} ${saidOfWorker[outcome]}${because}`) },
    options,
    host,
  )
  if (outcome === 'refused' && !options.json)
    await print(host.stderr, `troupe stop ${member}@${named ?? ''} --now ends it all the same\n`)
  return outcome === 'stopped' ? exitCodes.done : exitCodes.failed
}
