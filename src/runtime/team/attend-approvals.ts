import type { Fact } from '../../protocol/facts/fact.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { hearing, type EntryOf } from '../../projections/fold/fold.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { ownQuestion } from '../../protocol/tools/own-question.ts'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'
import { answerText, withdrawnReason } from '../../protocol/tools/answer-text.ts'
import type { AnswerFile, ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { Broadcast } from '../actors/broadcast.ts'
import { answerFile, type Approvals, type ApprovalStore } from '../permissions/approvals.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'

/** The parts of the leader's process that put questions to the person at its terminal. */
export interface Attendance {
  readonly approvals: Approvals
  readonly facts: Broadcast<Recorded>
  readonly now: () => number
  readonly record: (facts: readonly Fact[]) => void
  /** The call of a question that an earlier leader left has ended meanwhile. */
  readonly isOver: (request: ApprovalFile) => boolean
}

/**
 * Owns the way from a question of any member, in whatever process, to the approver of this one.
 * 1. The files are the truth: a question that was answered elsewhere leaves the dialog, and the answer given here counts
 *    only when it came first. 2. Both ways, the one who came second is told. 3. A question whose call is over, or whose
 *    member is lost, is withdrawn, so that nobody answers it in vain. 4. Questions of an earlier life of the leader are
 *    put again.
 * @returns ends it
 */
export function attendApprovals({ approvals, facts, now, record, isOver }: Attendance): () => void {
  const { store, approver } = approvals
  const over = new AbortController()
  const open = new Map<string, Open>()
  const pose = (id: string): void => {
    if (open.has(id) || store.files.answerTo(id) !== null) return
    const request = store.files.read(id)
    if (request === null) return
    const decided = new AbortController()
    open.set(id, { request, decided })
    if (approver)
      void put({ approver, requests: store, request, decided: decided.signal, over: over.signal, now, record })
  }
  const deafen = facts.subscribe(newsOf(open, { store, pose, now }))
  const unheed = store.problems.subscribe((message) =>
    record([{ type: 'warning.raised', code: 'permissions_polling', message }]),
  )
  for (const request of leftOpen(store)) {
    if (isOver(request)) store.answer(withdrawn(request.id, 'the call is over', now()))
    else if (approvals.reachable) pose(request.id)
  }
  return () => {
    deafen()
    unheed()
    over.abort(new Error('the run is over'))
    store.close()
  }
}

interface Attending extends Pick<Attendance, 'now'> {
  readonly store: ApprovalStore
  pose(id: string): void
}

/** News that opens, closes or withdraws questions. */
function newsOf(open: Map<string, Open>, { store, pose, now }: Attending): (recorded: Recorded) => void {
  const withdraw = (why: string, isMeant: (request: ApprovalFile) => boolean): void => {
    const meant = [...open.values()].filter(({ request }) => isMeant(request))
    for (const { request } of meant) store.answer(withdrawn(request.id, why, now()))
  }
  const ended = ({ call_id }: { readonly call_id: string }, owner: string): void =>
    withdraw('the call is over', (request) => memberName(request.member) === owner && request.call_id === call_id)
  return hearing({
    'permission.requested': ({ request }) => pose(request),
    'permission.decided': (entry) => close(open, entry),
    'call.finished': ended,
    'verify.settled': ended,
    'member.lost': ({ member }) => withdraw('the member is lost', (request) => memberName(request.member) === member),
  })
}

interface Open {
  readonly request: ApprovalFile
  /** Aborted when the question was answered, here or elsewhere. */
  readonly decided: AbortController
}

function close(open: Map<string, Open>, { request, tool, by, decision }: EntryOf<'permission.decided'>): void {
  if (request === undefined) return
  open.get(request)?.decided.abort(new Error(answerText(tool, { ...decision, by })))
  open.delete(request)
}

interface Put {
  readonly approver: Approver
  readonly requests: ApprovalStore
  readonly request: ApprovalFile
  readonly decided: AbortSignal
  readonly over: AbortSignal
  readonly now: () => number
  readonly record: (facts: readonly Fact[]) => void
}

/** Puts one question to the approver until somebody, here or elsewhere, has answered it. */
async function put({ approver, requests, request, decided, over, now, record }: Put): Promise<void> {
  const { id } = request
  const elsewhere = new AbortController()
  const gone = AbortSignal.any([decided, over, elsewhere.signal])
  const told = requests.wait(id, gone).then((answer) => elsewhere.abort(new Error(answerText(request.tool, answer))))
  told.catch(() => undefined)
  const answer = await answerBy(approver, request, gone).catch((error: unknown) => {
    return gone.aborted ? null : unaskable(error)
  })
  if (answer === null || over.aborted) return
  const given = answerFile({ by: 'the approver of the run', ...answer }, { id, at: now() })
  const counts = requests.answer(given)
  if (counts === given) return
  const first = `${memberName(request.member)}, ${request.tool}: ${answerText(request.tool, counts)}`
  record([{ type: 'warning.raised', code: 'answered_already', message: `${first}; this came first, and counts` }])
}

/** A member's own question is put in its own words. */
async function answerBy(approver: Approver, request: ApprovalFile, signal: AbortSignal): Promise<Answer> {
  const own = ownQuestion(request)
  if (own === null) return approver.answer(asQuestion(request), signal)
  const words = await approver.ask?.({ ...own, member: memberName(request.member) }, signal)
  return words ? { behavior: 'allow', source: 'human', reason: words } : unanswered
}

const unanswered: Answer = { behavior: 'deny', source: 'nobody', reason: 'nobody answered' }

function asQuestion({ member, call_id, tool, input, task, behind, decision, near, grants }: ApprovalFile): Question {
  return {
    member: memberName(member),
    call: { id: call_id, tool, input, refusal: null, safe: false, readOnly: false, interrupt: 'block', checked: false },
    decision,
    ...(task === null ? {} : { task }),
    ...(behind && { behind }),
    near,
    grants,
  }
}

/** The questions of an earlier life of the leader. */
function leftOpen({ files }: ApprovalStore): readonly ApprovalFile[] {
  return files.list().flatMap(({ id, answered }) => (answered ? [] : (files.read(id) ?? [])))
}

function withdrawn(id: string, why: string, at: number): AnswerFile {
  const reason = withdrawnReason(why)
  return { v: 1, id, behavior: 'deny', source: 'nobody', reason, scope: 'once', by: 'the leader', at }
}

function unaskable(error: unknown): Answer {
  const why = errorText(error)
  return { behavior: 'deny', source: 'nobody', reason: `Nobody could be asked: ${why}` }
}

/**
 * Whether the call that a question is about has ended, as its member's journal says: a leader that comes later must not
 * ask about it. A call id may come again; only what stands behind the request's own entry counts.
 */
export function callIsOver(run: Pick<RunDirectory, 'journalFile'>, { id, member, call_id }: ApprovalFile): boolean {
  const asked = Number(/-(\d+)-[\d.]+$/.exec(id)?.[1])
  const { entries } = readJournal(run.journalFile(memberName(member)))
  return entries.some(
    (entry) =>
      (entry.type === 'call.finished' || entry.type === 'verify.settled') &&
      entry.call_id === call_id &&
      entry.seq > asked,
  )
}
