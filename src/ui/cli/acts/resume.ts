import { awaitedBy } from '../../../protocol/tools/own-question.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import { pendingApprovals } from '../../../runtime/runs/answer-approval.ts'
import { membersOf } from '../../../runtime/mail/inspect-mail.ts'
import { refuseBadCollector } from '../runs/refuse-bad-collector.ts'
import { refuseUnknownCommand } from '../runs/refuse-unknown-command.ts'
import { noRunText, readCast } from '../../../runtime/runs/read-cast.ts'
import { resumeTeam, type ResumeTeamOptions } from '../../../runtime/run/resume-team.ts'
import type { TeamRun } from '../../../runtime/run/run-team.ts'
import { plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { type Host, print, printEither, type Flags, workingDirectory } from '../host/host.ts'
import { openProgress } from '../progress/open-progress.ts'
import type { Progress } from '../progress/progress.ts'
import { runDirectoryOf } from '../runs/run-choice.ts'
import { attached, type Attaching } from '../runs/attached.ts'
import { UserError } from '../host/user-error.ts'
import { personAt, attend, refuseLonePartial, type RunOptions } from './run.ts'
import { continueTeam, sendToLead } from '../../../runtime/run/continue-team.ts'
import { basename } from 'node:path'
import { forkTeam } from '../../../runtime/run/fork-team.ts'
import { forkWishes } from '../../../runtime/run/fork-wishes.ts'

export type ResumeOptions = Pick<
  RunOptions,
  'json' | 'streamJson' | 'partial' | 'cwd' | 'notify' | 'tui' | 'model' | 'fallback' | 'waitPermissions' | 'otlp'
> &
  Flags<'force' | 'reload'> &
  Attaching

/** Leads a run on and stays with it until its end, like `run` does. */
export async function resume(name: string | undefined, options: ResumeOptions, host: Host): Promise<ExitCode> {
  const dir = runDirectoryOf(name, options, host)
  return leadOn(dir, (how) => resumeTeam(dir, how), { options, host })
}

interface Leading {
  readonly options: ResumeOptions
  readonly host: Host
}

/** Leads a run on as `start` begins it, and stays with it until its end. */
export async function leadOn(
  dir: string,
  start: (how: ResumeTeamOptions) => Promise<TeamRun>,
  { options, host }: Leading,
): Promise<ExitCode> {
  refuseLonePartial(options)
  refuseBadCollector(options, host)
  const cwd = workingDirectory(options.cwd, host)
  const names = membersOf(dir)
  if (names === null) throw new UserError(noRunText(dir))
  const progress = openProgress(names, options, host)
  const person = personAt(host, cwd, progress)
  try {
    const { home, env, policyRoot } = host
    const { force = false, reload, model, fallback, waitPermissions, otlp } = options
    const approver = person === null ? {} : { approver: person }
    const wait = waitPermissions === undefined ? {} : { permissionWaitMs: waitPermissions }
    const telemetry = { otlp, onTelemetryProblem: progress.note }
    const change = { reload, model, fallback, ...wait, ...telemetry }
    const run = await start({ home, env, policyRoot, force, onNote: progress.note, ...change, ...approver })
    if (person === null) noteOpenQuestions(dir, progress)
    return await attend(run, { options, progress, cwd: host.cwd }, host)
  } finally {
    await person?.close()
    progress.close()
  }
}

/** A worker that outlived its leader goes on waiting and says nothing again: what it asked is said for it. */
function noteOpenQuestions(dir: string, progress: Progress): void {
  for (const { request } of pendingApprovals([dir])) {
    const { id, member, tool, decision } = request
    progress.note(
      `${memberName(member)}: ${tool} still waits for ${awaitedBy(tool)} (${id}): ${decision.rule ?? decision.reason}`,
    )
  }
}

/** Brings the lead of an ended run what a person says, and stays with the run until its next end. */
export async function goOn(
  { run, text }: { readonly run: string; readonly text: string },
  options: ResumeOptions,
  host: Host,
): Promise<ExitCode> {
  const dir = runDirectoryOf(run, options, host)
  await refuseUnknownCommand(text, readCast(dir)?.cwd ?? host.cwd, host)
  const attachments = await attached(options, host)
  return leadOn(dir, (how) => continueTeam(dir, { ...how, text, attachments, home: host.home }), { options, host })
}

/** Forks a run and stays with the new one until its end. */
export async function fork(
  { run, text }: { readonly run: string; readonly text: string | undefined },
  options: ResumeOptions &
    Flags<'worktree'> & { readonly at: string; readonly lead: boolean; readonly with?: readonly string[] | undefined },
  host: Host,
): Promise<ExitCode> {
  const { at, fallback } = options
  const { model = options.model, ...change } = forkWishes(options.with ?? [])
  const { home, env, policyRoot } = host
  const from = runDirectoryOf(run, options, host)
  const tree = options.worktree === true ? { cwd: await treeFor(from, at, host) } : {}
  const wished = { ...change, model, fallback, reload: options.reload }
  const dir = await forkTeam(from, { at, home, env, policyRoot, ...wished, ...tree })
  await print(host.stderr, `${basename(dir)} goes on from ${at}\n`)
  if (text !== undefined) await sendToLead(dir, { text }, host.home)
  if (!options.lead) {
    const run = basename(dir)
    await printEither(
      {
        document: { run, run_dir: dir },
        text: `${run}; troupe resume ${run} leads it on, or write to its lead: troupe attach ${run}`,
      },
      options,
      host,
    )
    return exitCodes.done
  }
  // The new run has its team by now, models included.
  const settled = { ...options, model: undefined, fallback: undefined, reload: undefined }
  const place = { ...host, env: { ...env, TROUPE_MODEL: undefined } }
  return leadOn(dir, (how) => resumeTeam(dir, how), { options: settled, host: place })
}

/** Makes the working tree of a fork, and says what is in it. @returns the directory in which the run works */
async function treeFor(dir: string, at: string, host: Host): Promise<string> {
  const { openForkTree } = await import('../../../runtime/run/fork-tree.ts')
  const { cwd, tree, branch, doubts } = await openForkTree(dir, { at, env: host.env })
  await print(host.stderr, `${tree} has the files as they were at ${at} (branch ${branch})\n`)
  for (const doubt of doubts) await print(host.stderr, `warning: it may differ: ${plainText(doubt)}\n`)
  return cwd
}
