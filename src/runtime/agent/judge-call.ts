import type { Decision, PermissionRequest } from '../../protocol/permissions/permission.ts'
import type { AgentSession } from './agent-session.ts'
import { programPlaces } from '../../adapters/fs/program-places.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import type { CallDescription, Tool } from '../../protocol/tools/tool.ts'
import { withOpinion } from '../../rules/hooks/hook-opinion.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import type { Action } from '../../rules/permissions/action.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { preparedRules } from '../settings/policy.ts'

/** The cascade's decision on a call at this moment. */
export function judge(session: AgentSession, call: CallDescription): Decision {
  const { deps, realPaths } = session
  const looked = actionOf(session, call)
  const policy = deps.policy()
  const rules = preparedRules(policy)
  const action = deps.elsewhere && rules.paths.length > 0 ? withUnseenLinks(looked) : looked
  if (action.paths.length > 0)
    realPaths.set(call.id, new Map(action.paths.map(({ path, resolved = path }) => [path, resolved])))
  const usual = (): Decision => decide(action, { ...policy, mode: 'default' }, rules)
  return withOpinion(decide(action, policy, rules), call.opinion, { mode: policy.mode, usual })
}

/** Links elsewhere are not seen here: a file that a rule forbids may lie behind each path of a shell line. */
function withUnseenLinks(action: Action): Action {
  if (action.tool !== 'Bash') return action
  return { ...action, paths: action.paths.map((path) => ({ ...path, vague: true })) }
}

/** A call as rules see it. */
export function actionOf({ deps, turn }: AgentSession, { tool, input, own }: CallDescription): Action {
  const used = turn.tools.get(tool)
  const cwd = tool === 'Bash' && own !== true ? currentDirectory(deps) : deps.cwd
  const searched = programPlaces(deps.searchPath?.())
  const action = analyse({ tool, input, ...(used && declaredBy(used, input)), cwd, home: deps.home, searched })
  return followPaths(action, deps.elsewhere ? (path) => path : resolveReal)
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
