import { wordsTool } from '../../protocol/tools/own-question.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Answer, Decision } from '../../protocol/permissions/permission.ts'
import type { OpenQuestion } from '../../protocol/tools/tool.ts'
import type { Clock } from '../actors/clock.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'

/** The way of one member's own questions to people. */
export interface AskPeopleOptions {
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
  return async (asked: OpenQuestion, callId: string, signal: AbortSignal): Promise<string | null> => {
    const call = { ...unruled, id: callId, tool: wordsTool, input: asked }
    const doing = task()
    const question = { member, call, decision, grants: { session: [], save: [] }, near: [] }
    const about = { call_id: callId, tool: wordsTool }
    const { request, deadline, wait_ms } = approvals.register(doing === null ? question : { ...question, task: doing })
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
