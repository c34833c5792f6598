import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Grants, NearRule } from '../../protocol/permissions/approval-file.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import type { Action } from './action.ts'
import { decide } from './cascade.ts'
import { explain } from './explain.ts'
import { exactRules, kindRules } from './saved-rules.ts'
import { coversTool, parseRule } from './rule.ts'

/** More rules than a person reads before saying yes. */
const mostRules = 5

/**
 * The rules that a person may grant together with a yes: for this very call again, and for calls of its kind. Each set
 * is tried on the cascade first; one that would not permit the call, or that says more than it shows, is not offered.
 *
 * @param policy The policy that made the call a question.
 * @example grantRules(analyse(npmTest), policy) // { session: ['Bash(npm test)'], save: ['Bash(npm test:*)'] }
 */
export function grantRules(action: Action, policy: Policy): Grants {
  const root = policy.directories[0] ?? action.cwd
  const offered = (rules: readonly string[] | null): string[] => {
    const distinct = [...new Set(rules)]
    return distinct.length > 0 && distinct.length <= mostRules && permits(distinct, action, policy) ? distinct : []
  }
  return { session: offered(exactRules(action, root)), save: offered(kindRules(action, root)) }
}

function permits(rules: readonly string[], action: Action, policy: Policy): boolean {
  const session = policy.rules.session ?? {}
  const granted = { ...session, allow: [...(session.allow ?? []), ...rules] }
  return decide(action, { ...policy, rules: { ...policy.rules, session: granted } }).behavior === 'allow'
}

const most = 5

/**
 * The rules that a person wants to see before answering a question: those that match a part of the call, and those that
 * name its command or its kind of file and do not match. At most five.
 *
 * @example nearRules(analyse(gitPush), policy) // [{ behavior: 'allow', source: 'project', rule: 'Bash(git log:*)' }]
 */
export function nearRules(action: Action, policy: Policy): readonly NearRule[] {
  const names = new Set(action.commands.map(({ words }) => commandName(unwrapped(words))))
  const isAlike = (text: string): boolean => {
    const rule = parseRule(text)
    if ('error' in rule || !coversTool(rule, action.tool)) return false
    return rule.kind !== 'command' || names.has(rule.specifier.split(/[\s:]/, 1)[0] ?? '')
  }
  const lists = explain(action, policy)
  const found = (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    lists[behavior].flatMap(({ rules }) =>
      rules.flatMap(({ source, rule, at, matches, why }): NearRule[] => {
        if (!matches && !isAlike(rule)) return []
        const place = at === undefined ? source : `${source}, ${at}`
        return [{ behavior, source: place, rule, ...(matches && { why }) }]
      }),
    ),
  )
  return found.toSorted((a, b) => Number(b.why !== undefined) - Number(a.why !== undefined)).slice(0, most)
}
