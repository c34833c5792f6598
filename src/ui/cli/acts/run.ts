import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PermissionMode } from '../../../protocol/permission.ts'
import type { RunResult } from '../../../protocol/run.ts'
import type { ExecutorKind, ResolvedTeam } from '../../../protocol/team-card.ts'
import { openApprover } from '../../../runtime/approvers.ts'
import { loadTeam } from '../../../runtime/load-team.ts'
import { runTeam, type RunTeamOptions, type TeamRun } from '../../../runtime/run-team.ts'
import { paintFor } from '../colour.ts'
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts'
import { teamFileOf } from '../find-team.ts'
import { print, type Host } from '../host.ts'
import { plainText } from '../plain-text.ts'
import { liveProgress } from '../progress/live.ts'
import { plainProgress } from '../progress/lines.ts'
import type { Progress } from '../progress/progress.ts'
import { questionText } from '../question-text.ts'
import { runSummary } from '../run-summary.ts'
import { UserError } from '../user-error.ts'
import { readTask } from './read-task.ts'
import { stopBySignals } from './stop-by-signals.ts'
import { streamFacts } from './stream-facts.ts'

export interface RunOptions {
  readonly taskFile?: string | undefined
  readonly model?: string | undefined
  readonly mode?: PermissionMode | undefined
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly executor?: ExecutorKind | undefined
  readonly budget?: number | undefined
  readonly trust?: true | undefined
  readonly json?: true | undefined
  readonly streamJson?: true | undefined
  readonly partial?: true | undefined
}

export interface RunRequest {
  readonly team: string
  readonly task: string | undefined
  readonly options: RunOptions
}

/** Runs a team and prints its answer; the exit code says how the run ended. */
export async function run(request: RunRequest, host: Host): Promise<ExitCode> {
  const { options } = request
  if (options.partial && !options.streamJson) throw new UserError('--partial goes with --stream-json')
  const cwd = directoryOf(options.cwd, host)
  const model = options.model === undefined ? {} : { model: options.model }
  const team = await loadTeam(teamFileOf(request.team, host.cwd), { cwd: host.cwd, env: host.env, ...model })
  const task = await readTask({ task: request.task, taskFile: options.taskFile }, team, host)
  const names = team.members.map(({ name }) => name)
  const progress = host.stderr.isTTY === true ? liveProgress(names, host) : plainProgress(host)
  try {
    warnOfTrust(team, options, progress)
    const started = runTeam(team, teamOptions({ task, cwd, options, progress }, host))
    return await attend(started, { options, progress, cwd: host.cwd }, host)
  } finally {
    progress.close()
  }
}

interface Attendance {
  readonly options: RunOptions
  readonly progress: Progress
  readonly cwd: string
}

/** Stays with a run until its end: shows it, passes signals on, prints what came of it. */
async function attend(started: TeamRun, { options, progress, cwd }: Attendance, host: Host): Promise<ExitCode> {
  const unlisten = started.subscribe((recorded) => progress.hear(recorded))
  const stopped = stopBySignals(started, progress, host)
  try {
    const streamed = options.streamJson ? streamFacts(started, options.partial === true, host) : Promise.resolve()
    const [result] = await Promise.all([started.result, streamed])
    progress.close()
    await printResult(result, options, host)
    await print(host.stderr, runSummary(result, cwd, paintFor(host.stderr, host.env)))
    return stopped.interrupted() ? exitCodes.interrupted : exitCodeOf(result.status)
  } finally {
    stopped.release()
    unlisten()
  }
}

async function printResult(result: RunResult, { json, streamJson }: RunOptions, host: Host): Promise<void> {
  if (json) return print(host.stdout, `${JSON.stringify(result, null, 2)}\n`)
  if (streamJson) return print(host.stdout, `${JSON.stringify({ type: 'result', ...result })}\n`)
  if (result.result !== null) await print(host.stdout, `${plainText(result.result).trimEnd()}\n`)
}

interface Setting {
  readonly task: string
  readonly cwd: string
  readonly options: RunOptions
  readonly progress: Progress
}

function teamOptions({ task, cwd, options, progress }: Setting, host: Host): RunTeamOptions {
  const { allow, ask, deny, executor, mode, budget, trust } = options
  const paint = paintFor(host.stderr, host.env)
  const { pause, resume } = progress
  const somebody = host.stdin.isTTY === true && host.stderr.isTTY === true
  const describe = (question: Parameters<typeof questionText>[0]): string => questionText(question, paint)
  return {
    task,
    cwd,
    home: host.home,
    env: host.env,
    rules: { allow: [...(allow ?? [])], ask: [...(ask ?? [])], deny: [...(deny ?? [])] },
    trusted: trust === true,
    approver: openApprover(somebody ? { input: host.stdin, output: host.stderr, describe, pause, resume } : null),
    ...(executor === undefined ? {} : { executor }),
    ...(mode === undefined ? {} : { mode }),
    ...(budget === undefined ? {} : { budgetUsd: budget }),
  }
}

function warnOfTrust(team: ResolvedTeam, { trust }: RunOptions, progress: Progress): void {
  const rules = [team, ...team.members].flatMap(({ permissions }) => permissions.allow ?? [])
  if (trust || rules.length === 0) return
  progress.note(`the team file's own allow rules do not count here (${rules.join(', ')}); count them with --trust`)
}

function directoryOf(cwd: string | undefined, host: Host): string {
  const folder = resolve(host.cwd, cwd ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`--cwd ${cwd ?? folder} is not a directory; give one that exists`)
  }
  return folder
}
