import type { Action } from '../permissions/action.ts'
import { forbids, readyRule } from '../permissions/match.ts'
import { coversTool, parseRule, type PermissionRule } from '../permissions/rule.ts'
import type { Places } from '../paths/path-inside.ts'

/** Text that the shell works out: a rule for more than the name of a command may speak of what comes of it. */
const workedOut = /[`*?[]|\$[^\s)]/

/**
 * Whether the rule in a hook's `if` speaks of a call. A call that cannot be read is one that it may speak of: the hook runs.
 *
 * @example meetsCondition('Bash(git push *)', action, places)
 */
export function meetsCondition(text: string, action: Action, places: Places): boolean {
  const rule = parseRule(text)
  if ('error' in rule) return true
  if (action.unparsable !== undefined && coversTool(rule, action.tool)) return true
  if (rule.kind === 'command' && !/^\S+?(?: ?\*|:\*)?$/.test(rule.specifier) && coversTool(rule, action.tool)) {
    const { command } = action.input
    if (typeof command === 'string' && workedOut.test(command)) return true
  }
  return forbids(readyRule(fromHere(rule), true), action, places) !== null
}

/** Unlike in a deny rule, `src/**` in a condition is the directory of that name here, and none further down. */
function fromHere(rule: PermissionRule): PermissionRule {
  const isBare = rule.kind === 'path' && !/^(?:\/|~|\.\.?\/)/.test(rule.specifier)
  return isBare && /\/./.test(rule.specifier) ? { ...rule, specifier: `./${rule.specifier}` } : rule
}
