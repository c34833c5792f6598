import { nobodyApprover } from '../../adapters/approvers/nobody.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Decision, Answer } from '../../protocol/permissions/permission.ts'
import type { Question, RegisterOutput } from '../../protocol/port.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { placeBehindCalls, placeOfCall } from '../../projections/member/call-place.ts'
import { refusesTooMuch } from '../../projections/member/agent-story.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'
import type { RunContext } from '../context/run-context.ts'
import type { MemberStore } from './member-store.ts'
import { answerFile, answerOf } from '../permissions/approvals.ts'
import { wordsTool, type OpenQuestion } from '../../protocol/tools/own-question.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Clock } from '../actors/clock.ts'

interface Run extends Pick<RunContext, 'approvals' | 'cwd' | 'home'> {
  readonly team: Pick<RunContext['team'], 'name'>
  readonly clock: Pick<RunContext['clock'], 'now'>
}

/**
 * The way of a member's questions: the classifier when there is one, then a question in the run directory, which the
 * leader's process and every other face can answer. Where nobody is reachable it is denied at once, and no file is made.
 */
export function memberApprovals(
  run: Run,
  { conversation, denials }: Pick<MemberStore, 'conversation' | 'denials'>,
): ApprovalPort {
  const { approvals, clock, cwd, home } = run
  const { store, classifier } = approvals
  return {
    plan: (decision) => ({
      order: 'sequence',
      classifies: classifier !== null && isOpen(decision) && !refusesTooMuch(denials),
    }),
    classify: (question, consult, signal) => classifier?.(question, consult, signal) ?? Promise.resolve(null),
    register: (question, nth = 1) =>
      approvals.reachable
        ? register(run, conversation, { ...question, nth })
        : { request: null, deadline: null, wait_ms: null },
    wait: async (question, request, signal) =>
      request === null ? nobodyApprover().answer(question, signal) : answerOf(await store.wait(request, signal)),
    claim: (answer, request) =>
      request === null ? answer : answerOf(store.answer(answerFile(answer, { id: request, at: clock.now() }))),
    // Rules that a person wants from now on stand in their own settings of this workspace.
    async save(rules) {
      const { keepRules } = await import('../settings/keep-rules.ts')
      keepRules({ cwd, home, target: 'local', list: 'allow', rules })
    },
  }
}

/** A rule that asks, and what the bounds hold, ask for a person. */
function isOpen({ source }: Decision): boolean {
  return source === 'mode'
}

function register(
  { approvals, team, clock }: Run,
  conversation: Conversation,
  question: Question & { readonly nth: number },
): RegisterOutput {
  const { member, call, decision, task = null, behind, grants, near, nth } = question
  const place = call.own === true ? placeBehindCalls(conversation) : placeOfCall(conversation, call.id)
  if (place === null) throw new Error(`the call ${call.id} stands in no journal, so nobody could answer it`)
  const at = clock.now()
  const asked: ApprovalFile = {
    v: 1,
    id: nth === 1 ? place : `${place}.${nth}`,
    member: agentId(member, team.name),
    call_id: call.id,
    tool: call.tool,
    input: call.input,
    task,
    ...(behind === undefined ? {} : { behind: [...behind] }),
    decision,
    near: [...near],
    grants,
    asked_at: at,
    deadline: approvals.waitMs === null ? null : at + approvals.waitMs,
  }
  const { deadline } = approvals.store.files.ask(asked)
  return { request: asked.id, deadline, wait_ms: deadline === null ? null : Math.max(deadline - at, 0) }
}

/** The way of one member's own questions to people. */
interface AskPeopleOptions {
  readonly member: string
  readonly approvals: Pick<ApprovalPort, 'register' | 'wait' | 'claim'>
  readonly task: () => string | null
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly note: (fact: Fact) => void
}

const decision: Decision = { behavior: 'ask', source: 'bounds', reason: 'only a person can say' }
const overdue: Answer = { behavior: 'deny', source: 'nobody', reason: 'nobody answered in time', by: 'the deadline' }

/**
 * Puts a member's own question where whoever may answer finds it, like one about a call: at the leader's terminal, or from
 * any other face as long as it waits. A life that takes the call up after a kill finds an answer that came meanwhile.
 * @returns the words; null when nobody can be asked, or nobody answered in time
 */
export function askPeople({ member, approvals, task, clock, note }: AskPeopleOptions) {
  const asks = new Map<string, number>()
  return async (asked: OpenQuestion, callId: string, signal: AbortSignal): Promise<string | null> => {
    const call = { ...unruled, id: callId, tool: wordsTool, input: asked }
    const doing = task()
    const question = { member, call, decision, grants: { session: [], save: [] }, near: [] }
    const about = { call_id: callId, tool: wordsTool }
    const nth = (asks.get(callId) ?? 0) + 1
    asks.set(callId, nth)
    const told = doing === null ? question : { ...question, task: doing }
    const { request, deadline, wait_ms } = approvals.register(told, nth)
    if (request === null) return null
    note({ type: 'permission.requested', ...about, request, decision, deadline })
    const late = wait_ms === null ? undefined : clock.setTimeout(() => approvals.claim(overdue, request), wait_ms)
    try {
      const { behavior, source, reason, by } = await approvals.wait(question, request, signal)
      const given = { behavior, source, reason }
      note({ type: 'permission.decided', ...about, decision: given, request, ...(by === undefined ? {} : { by }) })
      return behavior === 'allow' ? reason : null
    } finally {
      if (late !== undefined) clock.clearTimeout(late)
    }
  }
}

const unruled = { refusal: null, safe: false, readOnly: false, interrupt: 'cancel', checked: false } as const
