import { collectRuns, weighRuns, type WeighedRun } from '../../../runtime/upkeep/keep-runs.ts'
import { durationText } from '../../text/figures.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, printJson, type Host } from '../host/host.ts'
import type { RunChoice } from '../runs/run-choice.ts'
import { sweep, watch } from '../runs/sweep.ts'
import { table } from '../text/table.ts'
import { UserError } from '../host/user-error.ts'
import { workingDirectory } from '../host/working-directory.ts'

export interface RunsGcOptions extends RunChoice {
  readonly olderThan?: number | undefined
  readonly keep?: number | undefined
  readonly maxSize?: number | undefined
  readonly dryRun?: true | undefined
}

/** Lists runs with what they take up. */
export async function runsLs(options: RunChoice, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  await sweep(cwd, host)
  const runs = weighRuns(cwd)
  if (options.json) await printJson(host.stdout, runs.map(shown))
  else if (runs.length === 0) await print(host.stderr, 'No runs here.\n')
  else await print(host.stdout, runsTable(runs, host.now()))
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
  else if (gone.length > 0) await print(host.stdout, runsTable(gone, now))
  const bytes = gone.reduce((sum, run) => sum + run.bytes, 0)
  await print(host.stderr, `${gone.length} runs, ${sizeText(bytes)} ${dryRun ? 'would be removed' : 'removed'}\n`)
  return exitCodes.done
}

function shown({ id, dir, team, state, created, bytes }: WeighedRun): object {
  return { id, dir, team, state, created, bytes }
}

function runsTable(runs: readonly WeighedRun[], now: number): string {
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
