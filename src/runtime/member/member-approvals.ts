import { nobodyApprover } from '../../adapters/approvers/nobody.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { Question, RegisterOutput } from '../../protocol/port.ts'
import type { RequestFile } from '../../protocol/permissions/approval-file.ts'
import { placeBehindCalls, placeOfCall, type Conversation } from '../../rules/conversation/context-window.ts'
import { refusesTooMuch, type Denials } from '../../rules/permissions/denial-tracking.ts'
import type { Asking } from '../permissions/approval-port.ts'
import type { Inquiry } from '../permissions/open-approvals.ts'
import { answerFile, answerOf } from '../permissions/approvals.ts'

export interface MemberAsking {
  readonly inquiry: Inquiry
  readonly team: string
  readonly conversation: Conversation
  readonly denials: { readonly count: Denials }
  readonly now: () => number
  /** Writes rules into the settings of this working directory. */
  readonly save: (rules: readonly string[]) => Promise<void>
}

/**
 * How a member of a team asks: the classifier when there is one, then a question in the run directory, which the
 * leader's process and every other face can answer. Where nobody is reachable it is denied at once, and no file is made.
 */
export function askingTeam(parts: MemberAsking): Asking {
  const { inquiry, denials, save } = parts
  const { requests, classifier } = inquiry
  const nobody = nobodyApprover()
  return {
    plan: (decision) => ({
      order: 'sequence',
      hooked: false,
      classifies: classifier !== null && isOpen(decision) && !refusesTooMuch(denials.count),
    }),
    consultHooks: () => Promise.resolve(null),
    classify: (question, consult, signal) => classifier?.(question, consult, signal) ?? Promise.resolve(null),
    register: (question) =>
      inquiry.reachable ? register(parts, question) : { request: null, deadline: null, wait_ms: null },
    wait: async (question, request, signal) =>
      request === null ? nobody.answer(question, signal) : answerOf(await requests.wait(request, signal)),
    claim: (answer, request) =>
      request === null ? answer : answerOf(requests.answer(answerFile(answer, { id: request, at: parts.now() }))),
    save,
  }
}

/** A rule that asks, and what the bounds hold, ask for a person. */
function isOpen({ source }: Decision): boolean {
  return source === 'mode'
}

function register({ inquiry, team, conversation, now }: MemberAsking, question: Question): RegisterOutput {
  const { member, call, decision, task = null, grants, near } = question
  const id = call.own === true ? placeBehindCalls(conversation) : placeOfCall(conversation, call.id)
  if (id === null) throw new Error(`the call ${call.id} stands in no journal, so nobody could answer it`)
  const at = now()
  const asked: RequestFile = {
    v: 1,
    id,
    member: agentId(member, team),
    call_id: call.id,
    tool: call.tool,
    input: call.input,
    task,
    decision,
    near: [...near],
    grants,
    asked_at: at,
    deadline: inquiry.waitMs === null ? null : at + inquiry.waitMs,
  }
  const { deadline } = inquiry.requests.files.ask(asked)
  return { request: id, deadline, wait_ms: deadline === null ? null : Math.max(deadline - at, 0) }
}
