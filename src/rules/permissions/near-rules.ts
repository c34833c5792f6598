import { permissionSources, type Policy } from '../../protocol/permissions/permission.ts'
import type { NearRule } from '../../protocol/permissions/approval-file.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import type { Action } from './analyse.ts'
import { coversTool, parseRule } from './rule.ts'

const most = 5

/**
 * The rules in force that speak of a call's tool, those that name its command first: what a person wants to see before
 * answering. At most five.
 *
 * @example nearRules(analyse(gitPush), policy) // [{ behavior: 'allow', source: 'project', rule: 'Bash(git log:*)' }]
 */
export function nearRules(action: Action, policy: Policy): readonly NearRule[] {
  const names = new Set(action.commands.map(({ words }) => commandName(unwrapped(words))))
  const found = (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    permissionSources.flatMap((source) =>
      (policy.rules[source]?.[behavior] ?? []).flatMap((rule, index): (NearRule & { near: boolean })[] => {
        const parsed = parseRule(rule)
        if ('error' in parsed || !coversTool(parsed, action.tool)) return []
        const near = parsed.kind !== 'command' || names.has(parsed.specifier.split(/[\s:]/, 1)[0] ?? '')
        const at = policy.origins?.[source]?.[behavior]?.[index]?.at
        return [{ behavior, source: at === undefined ? source : `${source}, ${at}`, rule, near }]
      }),
    ),
  )
  return found
    .toSorted((a, b) => Number(b.near) - Number(a.near))
    .slice(0, most)
    .map(({ behavior, source, rule }) => ({ behavior, source, rule }))
}
