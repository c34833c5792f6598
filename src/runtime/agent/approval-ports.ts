import { fromPromise } from 'xstate'
import { approvalMachine } from '../../../machines/call/approval.ts'
import type { Answer, Decision, PermissionRequest } from '../../protocol/permissions/permission.ts'
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
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import type { CallDescription, Tool } from '../../protocol/tools/tool.ts'
import { grantRules, nearRules } from '../../rules/permissions/grant-rules.ts'
import { analyse, followPaths } from '../../rules/permissions/analyse.ts'
import type { Action } from '../../rules/permissions/action.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { preparedRules } from '../settings/policy.ts'

/** The machine of one question with every port wired; its agent's session says to what. */
export const providedApproval = approvalMachine.provide({
  actors: {
    plan: fromPromise<RequestPlan, AnswerInput>(async ({ input, system }) =>
      agentSessions.of(system).deps.approvals.plan(input.decision),
    ),
    consultHooks: attended<Answer | null, AnswerInput>(async (session, input, signal) =>
      session.deps.approvals.consultHooks(approvalQuestion(session, input), signal),
    ),
    classify: attended<Answer | null, AnswerInput>(async (session, input, signal) =>
      session.deps.approvals.classify(approvalQuestion(session, input), session.deps.consult, signal),
    ),
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

/** The cascade's decision on a call at this moment. */
export function judge(session: AgentSession, call: CallDescription): Decision {
  const { deps, realPaths } = session
  const action = actionOf(session, call)
  if (action.paths.length > 0)
    realPaths.set(call.id, new Map(action.paths.map(({ path, resolved = path }) => [path, resolved])))
  const policy = deps.policy()
  return decide(action, policy, preparedRules(policy))
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

function actionOf({ deps, turn }: AgentSession, { tool, input, own }: CallDescription): Action {
  const used = turn.tools.get(tool)
  const cwd = tool === 'Bash' && own !== true ? currentDirectory(deps) : deps.cwd
  return followPaths(analyse({ tool, input, ...(used && declaredBy(used, input)), cwd, home: deps.home }), resolveReal)
}

/** Files that a tool of others speaks of; what only reads changes none of them. */
function filesOf(tool: Tool, input: unknown): Pick<PermissionRequest, 'files'> {
  if (tool.paths === undefined) return {}
  return { files: { paths: tool.paths(input), access: tool.isReadOnly(input) ? 'read' : 'edit' } }
}

/** A declaration that throws is none: the restrictive one stands. */
function declaredBy(tool: Tool, input: unknown): Omit<PermissionRequest, 'tool' | 'input' | 'cwd' | 'home'> {
  const { effect, requiresInteraction: interactive, reaches } = tool
  const declared = { harmless: effect === 'none', interactive, ...(reaches && { reaches }) }
  try {
    return { ...declared, ...filesOf(tool, input), destructive: tool.isDestructive(input) }
  } catch {
    return { ...declared, destructive: true }
  }
}
