import { resolvePaths } from '../../adapters/fs/resolve-paths.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { AnswerInput, Question } from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import { grantRules } from '../../rules/permissions/grant-rules.ts'
import { nearRules } from '../../rules/permissions/near-rules.ts'
import { analyse, type Action } from '../../rules/permissions/analyse.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import type { AgentWorld } from './bound-deps.ts'

/** What the cascade says of a call now. */
export function judge(world: AgentWorld, call: CallDescription): Decision {
  const { around, led } = world
  const action = actionOf(world, call)
  if (action.paths.length > 0)
    led.set(call.id, new Map(action.paths.map(({ path, resolved = path }) => [path, resolved])))
  return decide(action, around.policy())
}

/** A question as whoever answers it needs it. */
export function questionOf(world: AgentWorld, { call, decision }: AnswerInput): Question {
  const { around } = world
  const action = actionOf(world, call)
  const policy = around.policy()
  const task = around.task()
  return {
    member: around.member,
    call,
    decision,
    ...(task === null ? {} : { task }),
    grants: grantRules(action, policy),
    near: nearRules(action, policy),
  }
}

function actionOf({ around, turn }: AgentWorld, { tool, input, own }: CallDescription): Action {
  const harmless = turn.tools.get(tool)?.effect === 'none'
  const cwd = tool === 'Bash' && own !== true ? currentDirectory(around) : around.cwd
  return resolvePaths(analyse({ tool, input, harmless, cwd, home: around.home }))
}
