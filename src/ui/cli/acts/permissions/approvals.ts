import { basename } from 'node:path'
import { answerText } from '../../../../protocol/tools/answer-text.ts'
import { ownQuestion, wordsTool } from '../../../../protocol/tools/own-question.ts'
import type { ApprovalFile } from '../../../../protocol/permissions/approval-file.ts'
import { callLabel } from '../../../../projections/screen/call-label.ts'
import {
  answerApproval,
  hasApproval,
  pendingApprovals,
  runDirectoriesIn,
  type AnswerOutcome,
  type PendingApproval,
  type PersonalAnswer,
} from '../../../../runtime/runs/answer-approval.ts'
import { ruleProblems } from '../../../../runtime/permissions/permission-report.ts'
import { readCast } from '../../../../runtime/runs/read-cast.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { durationText } from '../../../text/figures.ts'
import { print, printJson, type Host, type Flags, type Values, printEither, workingDirectory } from '../../host/host.ts'
import { plainText } from '../../../text/plain-text.ts'
import { questionText } from '../../text/question-text.ts'
import { table } from '../../text/table.ts'
import { runDirectoryOf, type NamedRunChoice } from '../../runs/run-choice.ts'
import { UserError } from '../../host/user-error.ts'

export type AnswerOptions = NamedRunChoice &
  Flags<'session' | 'save' | 'stop'> &
  Values<'advice'> &
  Values<'rule', readonly string[]>

/** Lists what waits for approval, the oldest first, or shows one of it whole. */
export async function permissionsPending(
  id: string | undefined,
  options: NamedRunChoice,
  host: Host,
): Promise<ExitCode> {
  const found = pendingApprovals(directoriesOf(options, host))
  const pending = id === undefined ? found : found.filter(({ request }) => request.id === id)
  if (id !== undefined && pending.length === 0) throw new UserError(unknownText(id, found))
  if (options.json) {
    const rows = pending.map(({ dir, live, request }) => ({ run_dir: dir, live, ...request }))
    await printJson(host.stdout, rows)
  } else if (id !== undefined) {
    for (const each of pending) await print(host.stdout, `${await shownWhole(each, host)}\n`)
  } else if (pending.length === 0) await print(host.stderr, 'Nothing waits for approval.\n')
  else await print(host.stdout, pendingTable(pending, host))
  return exitCodes.done
}

/** Answers one request; who comes too late is told what was answered, and by whom. */
export async function permissionsAnswer(
  { id, decision }: { readonly id: string; readonly decision: string },
  options: AnswerOptions,
  host: Host,
): Promise<ExitCode> {
  checkOptions(decision, options)
  const { dir, live, request } = placeOf(id, options, host)
  const asksWords = request !== null && ownQuestion(request) !== null
  const given = asksWords ? inWords(decision, options) : judged(decision, options, request)
  const by = `troupe permissions answer`
  const outcome = answerApproval(dir, id, { ...given, by, home: host.home, at: host.now() })
  if (outcome === null) throw new UserError(`there is no request "${id}" in ${dir}`)
  const text = plainText(outcomeText(id, outcome, asksWords))
  await printEither({ document: { run_dir: dir, live, ...outcome }, text }, options, host)
  if (!live)
    await print(host.stderr, `Nobody runs this team now; the answer waits until troupe resume ${basename(dir)}\n`)
  return outcome.won ? exitCodes.done : exitCodes.failed
}

type Given = Pick<PersonalAnswer, 'behavior' | 'scope' | 'advice' | 'rules'>

/** The answer to a member's own question: any words, `allow` and `deny` among them. */
function inWords(words: string, { session, save, rule, advice, stop }: AnswerOptions): Given {
  const settles = [session, save, rule, advice, stop].some((option) => option !== undefined)
  if (settles) throw new UserError('this is a question: answer it with words, and without options')
  return { behavior: 'allow', advice: words }
}

function judged(decision: string, options: AnswerOptions, request: ApprovalFile | null): Given {
  // Of one that was answered nobody knows any more what it asked for; who comes second is told what was said.
  if (request === null) return { behavior: 'deny' }
  if (decision !== 'allow' && decision !== 'deny') throw new UserError(`decide allow or deny, not "${decision}"`)
  checkGrants(request, options)
  const { advice, rule: rules } = options
  return { behavior: decision, scope: scopeOf(options), advice, rules }
}

/** The question as it stands on a screen. */
function shownWhole({ dir, request }: PendingApproval, { cwd }: Host): Promise<string> {
  const { tool, input, task, member, ...asked } = request
  const told = { ...asked, member, call: { tool, input }, ...(task === null ? {} : { task }) }
  return questionText(told, readCast(dir)?.cwd ?? cwd, (_, text) => text)
}

function pendingTable(pending: readonly PendingApproval[], { now, stdout }: Host): string {
  const rows = pending.map(({ live, request: { id, member, tool, input, decision, asked_at } }) => {
    const label = callLabel(tool, input)
    const call = label.length > 60 ? `${label.slice(0, 60)}…` : label
    return [id, member, durationText(now() - asked_at), live ? 'yes' : 'no', call, decision.rule ?? decision.reason]
  })
  return table(['ID', 'MEMBER', 'WAITS', 'ALIVE', 'CALL', 'ASKED BECAUSE'], rows, stdout.columns)
}

function checkOptions(decision: string, { session, save, rule, advice, stop }: AnswerOptions): void {
  const grants = session === true || save === true
  if (decision === 'deny' && grants) throw new UserError('--session and --save go with allow')
  if (decision === 'allow' && stop) throw new UserError('--stop goes with deny')
  if (decision === 'allow' && advice !== undefined) throw new UserError('--advice goes with deny')
  if (rule === undefined) return
  if (!grants) throw new UserError('--rule goes with --session or --save')
  for (const problem of ruleProblems(rule)) throw new UserError(`--rule ${problem}`)
}

/** A person who wants a rule shall not believe that there is one. */
function checkGrants(request: ApprovalFile | null, { session, save, rule }: AnswerOptions): void {
  if (request === null || rule !== undefined || (!session && !save)) return
  const offered = save ? request.grants.save : request.grants.session
  if (offered.length > 0) return
  throw new UserError(`no rule says just this call; allow it once, or give the rule yourself with --rule`)
}

function scopeOf({ session, save, stop }: AnswerOptions) {
  if (save) return 'save'
  if (session) return 'session'
  return stop ? 'stop' : 'once'
}

/** An id is unique in a run; two runs may have the same. One that was answered already is found too, to say so. */
function placeOf(id: string, options: AnswerOptions, host: Host): Place {
  const dirs = directoriesOf(options, host)
  const pending = pendingApprovals(dirs)
  const [found, ...others] = pending.filter(({ request }) => request.id === id)
  if (found && others.length > 0) {
    const runs = [found, ...others].map(({ dir }) => dir).join(', ')
    throw new UserError(`"${id}" waits in several runs (${runs}); choose one with --run`)
  }
  const place = found ?? answeredPlace(id, dirs)
  if (place) return place
  throw new UserError(unknownText(id, pending))
}

function unknownText(id: string, pending: readonly PendingApproval[]): string {
  const ids = pending.map(({ request }) => request.id).join(', ')
  return `there is no request "${id}" here; ${ids === '' ? 'none waits' : `those that wait: ${ids}`}`
}

type Place = Pick<PendingApproval, 'dir' | 'live'> & { readonly request: ApprovalFile | null }

function answeredPlace(id: string, dirs: readonly string[]): Place | null {
  const dir = dirs.find((each) => hasApproval(each, id))
  return dir === undefined ? null : { dir, live: true, request: null }
}

function outcomeText(id: string, { won, answer }: AnswerOutcome, asksWords: boolean): string {
  const { behavior, scope } = answer
  const settled = behavior === 'allow' ? 'allowed' : 'denied'
  const done = asksWords ? 'answered' : `${settled}${scope === 'once' ? '' : ` (${scope})`}`
  return won ? `${id} ${done}` : `${id}: your answer does not count: ${answerText(asksWords ? wordsTool : '', answer)}`
}

function directoriesOf({ run, cwd }: NamedRunChoice, host: Host): readonly string[] {
  return run === undefined ? runDirectoriesIn(workingDirectory(cwd, host)) : [runDirectoryOf(run, { cwd }, host)]
}
