import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { AnswerInput, Question } from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import { grantRules, nearRules } from '../../rules/permissions/grant-rules.ts'
import { analyse, type Action, followPaths } from '../../rules/permissions/analyse.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { preparedRules } from '../permissions/prepared-rules.ts'
import type { AgentSession } from './bound-deps.ts'

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
export function approvalQuestion(session: AgentSession, { call, decision }: AnswerInput): Question {
  const { deps } = session
  const action = actionOf(session, call)
  const policy = deps.policy()
  const task = deps.task()
  return {
    member: deps.member,
    call,
    decision,
    ...(task === null ? {} : { task }),
    grants: grantRules(action, policy),
    near: nearRules(action, policy),
  }
}

function actionOf({ deps, turn }: AgentSession, { tool, input, own }: CallDescription): Action {
  const harmless = turn.tools.get(tool)?.effect === 'none'
  const cwd = tool === 'Bash' && own !== true ? currentDirectory(deps) : deps.cwd
  return followPaths(analyse({ tool, input, harmless, cwd, home: deps.home }), resolveReal)
}
