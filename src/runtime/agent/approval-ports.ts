import { fromPromise } from 'xstate'
import { approvalMachine } from '../../../machines/call/approval.ts'
import type { Answer, Decision } from '../../protocol/permissions/permission.ts'
import type {
  AnswerInput,
  CallInput,
  ClaimInput,
  RegisterOutput,
  RememberInput,
  RequestPlan,
  WaitInput,
  Question,
} from '../../protocol/port.ts'
import { agentSessions, attended, type AgentSession } from './agent-session.ts'
import { consultHooks, hooksSpoke } from './agent-hooks.ts'
import { actionOf, judge } from './judge-call.ts'
import { grantRules, nearRules } from '../../rules/permissions/grant-rules.ts'

/** The machine of one question with every port wired; its agent's session says to what. */
export const providedApproval = approvalMachine.provide({
  actors: {
    plan: fromPromise<RequestPlan, AnswerInput>(async ({ input, system }) => {
      const { approvals, hooks } = agentSessions.of(system).deps
      return { ...approvals.plan(input.decision), hooked: hooks?.has('PermissionRequest') ?? false }
    }),
    consultHooks: attended<Answer | null, AnswerInput>(consultHooks),
    classify: attended<Answer | null, AnswerInput>(async (session, input, signal) => {
      const answer = await session.deps.approvals.classify(
        approvalQuestion(session, input),
        session.deps.consult,
        signal,
      )
      if (answer?.behavior === 'allow') await hooksSpoke(input)
      return answer
    }),
    register: fromPromise<RegisterOutput, AnswerInput>(async ({ input, system }) => {
      const session = agentSessions.of(system)
      return session.deps.approvals.register(approvalQuestion(session, input))
    }),
    wait: attended<Answer, WaitInput>(async (session, input, signal) =>
      session.deps.approvals.wait(approvalQuestion(session, input), input.request, signal),
    ),
    claim: fromPromise<Answer, ClaimInput>(async ({ input, system }) =>
      agentSessions.of(system).deps.approvals.claim(input.answer, input.request),
    ),
    judgeAgain: fromPromise<Decision, CallInput>(async ({ input, system }) =>
      judge(agentSessions.of(system), input.call),
    ),
    remember: fromPromise<void, RememberInput>(({ input, system }) => remember(agentSessions.of(system), input)),
  },
})

/** The rules hold at once for this member; those that are saved, for everybody who reads the settings. */
async function remember(session: AgentSession, { call, answer }: RememberInput): Promise<void> {
  const { deps } = session
  const decision: Decision = { behavior: 'ask', source: 'mode', reason: answer.reason }
  const rules =
    answer.rules ?? approvalQuestion(session, { call, decision }).grants[answer.scope === 'save' ? 'save' : 'session']
  for (const rule of rules) deps.grant(rule)
  if (answer.scope === 'save') await deps.approvals.save(rules)
}

/** A question as whoever answers it needs it. */
function approvalQuestion(session: AgentSession, { call, decision }: AnswerInput): Question {
  const { deps } = session
  const action = actionOf(session, call)
  const policy = deps.policy()
  const task = deps.task()
  const behind = deps.behind?.() ?? []
  return {
    member: deps.member,
    call,
    decision,
    ...(task === null ? {} : { task }),
    ...(behind.length === 0 ? {} : { behind }),
    grants: grantRules(action, policy),
    near: nearRules(action, policy),
  }
}
