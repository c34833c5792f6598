import { settingsModels } from '../../../runtime/settings/load-rules.ts'
import type { Attachment } from '../../../protocol/conversation/message.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'
import type { RunResult } from '../../../protocol/team/run.ts'
import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { openApprover, type TerminalApprover } from '../../../runtime/permissions/approvers.ts'
import { loadTeam } from '../../../runtime/team-files/load-team.ts'
import { runTeam, type RunTeamOptions, type TeamRun } from '../../../runtime/run/run-team.ts'
import { jsonText, plainText } from '../../text/plain-text.ts'
import { paintFor } from '../../text/theme.ts'
import { exitCodeOf, exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { hasPerson } from '../host/has-person.ts'
import { forPersons } from '../../../runtime/runs/for-persons.ts'
import { print, printJson, type Host, type Flags, type Values, printEither, workingDirectory } from '../host/host.ts'
import { notifyVariable, openNotifier } from '../host/notifier.ts'
import { openProgress } from '../progress/open-progress.ts'
import type { Progress } from '../progress/progress.ts'
import { questionText } from '../text/question-text.ts'
import { detachedText } from '../text/detached-text.ts'
import { factLine } from '../text/fact-line.ts'
import { runSummary } from '../text/run-summary.ts'
import { recordOfRun } from '../../../runtime/runs/read-runs.ts'
import { openEnvelopes } from '../../../runtime/runs/run-events.ts'
import { attached, type Attaching } from '../runs/attached.ts'
import { UserError } from '../host/user-error.ts'
import { readTask } from '../runs/read-task.ts'
import { refuseUnknownCommand } from '../runs/refuse-unknown-command.ts'
import { collectorVariables, refuseBadCollector } from '../runs/refuse-bad-collector.ts'
import { refuseBrokenRules } from '../runs/refuse-broken-rules.ts'
import { settleTrust, wishedMode, type ModeOptions } from '../runs/settle-trust.ts'
import { stopBySignals } from '../runs/stop-by-signals.ts'
import { detachTeam, type DetachTeamOptions } from '../../../runtime/run/detach-team.ts'

export type RunOptions = ModeOptions &
  Flags<'trust' | 'json' | 'streamJson' | 'partial' | 'detach' | 'notify'> &
  Values<'tui', boolean> &
  Values<'taskFile' | 'model' | 'appendSystemPrompt' | 'cwd' | 'classifier' | 'executor' | 'otlp'> &
  Values<'allow' | 'ask' | 'deny' | 'fallback', readonly string[]> &
  Values<'budget' | 'waitPermissions', number> &
  Attaching

export interface RunRequest {
  readonly team: string
  readonly task: string | undefined
  readonly options: RunOptions
}

/** Runs a team and prints its answer; the exit code says how the run ended. */
export async function run(request: RunRequest, host: Host): Promise<ExitCode> {
  const { options } = request
  if (widens(options)) forPersons('a run that may more than its settings say', host.env)
  refuseLonePartial(options)
  refuseBrokenRules(options)
  refuseBadCollector(options, host)
  const cwd = workingDirectory(options.cwd, host)
  const { model, fallback, appendSystemPrompt } = options
  const asked = { cwd: host.cwd, env: host.env, ...settingsModels(host), model, fallback, appendSystemPrompt }
  const team = await loadTeam(teamFileOf(request.team, host), asked)
  await refuseUnknownCommand(request.task ?? '', cwd, host)
  const untrusted = await settleTrust({ ...options, team, cwd }, host)
  const task = await readTask({ task: request.task, taskFile: options.taskFile }, team, host)
  const attachments = await attached(options, host)
  const names = team.members.map(({ name }) => name)
  // A table of members would stand still once the run is detached.
  const progress = openProgress(names, { tui: options.tui !== false && options.detach !== true }, host)
  const person = personAt(host, cwd, progress)
  try {
    if (untrusted !== null) progress.note(untrusted)
    const onTelemetryProblem = progress.note
    const told = { ...teamOptions({ task, attachments, cwd, options, person }, host), onTelemetryProblem }
    if (options.detach) {
      return await detach(
        { team, ...options },
        {
          ...told,
          env: { ...host.env, ...collectorVariables(options), ...(options.notify ? { [notifyVariable]: '1' } : {}) },
        },
        host,
      )
    }
    const started = runTeam(team, told)
    return await attend(started, { options, progress, cwd: host.cwd }, host)
  } finally {
    await person?.close()
    progress.close()
  }
}

/** The options give the run more than its settings do. */
function widens({ allow, trust, mode, dangerouslySkipPermissions, classifier, waitPermissions }: RunOptions): boolean {
  const narrow = mode === undefined || mode === 'plan' || mode === 'dontAsk' || mode === 'default'
  return (
    !narrow ||
    [allow, trust, dangerouslySkipPermissions, classifier, waitPermissions].some((given) => given !== undefined)
  )
}

/** Text as it is written goes between facts, and into nothing else. */
export function refuseLonePartial({ partial, streamJson }: Pick<RunOptions, 'partial' | 'streamJson'>): void {
  if (partial && !streamJson) throw new UserError('--partial goes with --stream-json')
}

interface Attendance {
  readonly options: Pick<RunOptions, 'json' | 'streamJson' | 'partial' | 'notify'>
  readonly progress: Progress
  readonly cwd: string
}

/** Stays with a run until its end: shows it, passes signals on, prints what came of it. */
export async function attend(started: TeamRun, { options, progress, cwd }: Attendance, host: Host): Promise<ExitCode> {
  const call = openNotifier({ notify: options.notify, output: host.stderr, problem: progress.note }, host)
  const unlisten = started.subscribe((recorded) => {
    progress.hear(recorded)
    const reason = reasonToCall(recorded)
    if (reason !== null) call?.({ title: started.id, text: reason })
  })
  const stopped = stopBySignals(started, progress, host)
  try {
    const streamed = options.streamJson ? streamFacts(started, options.partial === true, host) : Promise.resolve()
    const [result] = await Promise.all([started.result, streamed])
    progress.close()
    await printResult(result, options, host)
    call?.({ title: started.id, text: `the run has ended: ${result.status}` })
    await print(host.stderr, runSummary(result, cwd, paintFor(host.stderr, host.env)))
    return stopped.interrupted() ? exitCodes.interrupted : exitCodeOf(result)
  } finally {
    stopped.release()
    unlisten()
  }
}

async function printResult(result: RunResult, { json, streamJson }: Attendance['options'], host: Host): Promise<void> {
  if (json) return printJson(host.stdout, result)
  if (streamJson) return print(host.stdout, `${jsonText({ type: 'result', ...result })}\n`)
  if (result.result !== null) await print(host.stdout, `${plainText(result.result).trimEnd()}\n`)
}

interface Setting {
  readonly task: string
  readonly attachments: readonly Attachment[]
  readonly cwd: string
  readonly options: RunOptions
  readonly person: TerminalApprover | null
}

function teamOptions({ task, attachments, cwd, options, person }: Setting, host: Host): RunTeamOptions {
  const { waitPermissions, classifier } = options
  const { allow, ask, deny, executor, budget, otlp, trust, dangerouslySkipPermissions: allowBypass = false } = options
  const mode = wishedMode(options)
  return {
    task,
    attachments,
    cwd,
    home: host.home,
    env: host.env,
    rules: { allow: [...(allow ?? [])], ask: [...(ask ?? [])], deny: [...(deny ?? [])] },
    trusted: trust === true,
    allowBypass,
    policyRoot: host.policyRoot,
    ...(person === null ? {} : { approver: person }),
    ...(waitPermissions === undefined ? {} : { permissionWaitMs: waitPermissions }),
    ...(classifier === undefined ? {} : { classifier }),
    interactive: person !== null,
    ...(executor === undefined ? {} : { executor }),
    ...(otlp === undefined ? {} : { otlp }),
    ...(mode === undefined ? {} : { mode }),
    ...(budget === undefined ? {} : { budgetUsd: budget }),
  }
}

/** The person whose terminal is both ends of this process; null where there is none. */
export function personAt(host: Host, cwd: string, screen: Progress): TerminalApprover | null {
  if (!hasPerson(host)) return null
  const paint = paintFor(host.stderr, host.env)
  return openApprover({
    input: host.stdin,
    screen,
    describe: (question) => questionText(question, cwd, paint),
    interrupt: () => host.raise('SIGINT'),
    suspend: () => host.raise('SIGTSTP'),
  })
}

/** Starts a run whose leader has no terminal, and says on stdout which run it is. */
async function detach(
  { team, json }: Flags<'json'> & { readonly team: ResolvedTeam },
  options: DetachTeamOptions,
  host: Host,
): Promise<ExitCode> {
  const run = await detachTeam(team, options)
  const { id, dir, pid, log } = run
  await printEither({ document: { run: id, run_dir: dir, pid, log }, text: id }, { json }, host)
  await print(host.stderr, detachedText(run, host.cwd))
  return exitCodes.done
}

const deltaTypes = {
  text: 'text.delta',
  thinking: 'thinking.delta',
  progress: 'tool.progress',
  reset: 'text.reset',
} as const

/**
 * Writes every recorded fact of a run to stdout, one JSON line each, in the order in which the leader heard them;
 * with `partial` also what is being written, as it comes. Settles when the run has no more facts.
 */
async function streamFacts(run: TeamRun, partial: boolean, { stdout, now }: Host): Promise<void> {
  const envelopes = openEnvelopes(run.dir, recordOfRun(run.dir).recorded)
  const deaf = partial
    ? run.deltas(({ type, member, ...delta }) => {
        stdout.write(`${jsonText({ ...envelopes.frame(member, now()), type: deltaTypes[type], ...delta })}\n`)
      })
    : () => undefined
  try {
    for await (const recorded of run.facts()) await print(stdout, factLine(envelopes.fact(recorded)))
  } finally {
    deaf()
  }
}

/** The reason for which a fact calls a person; null when it calls none. */
function reasonToCall({ owner, entry }: Recorded): string | null {
  return entry.type === 'permission.requested' ? `${owner} waits for you: ${entry.tool}` : null
}
