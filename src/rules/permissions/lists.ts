import {
  permissionSources,
  type Behavior,
  type PermissionSource,
  type Policy,
} from '../../protocol/permissions/permission.ts'
import { indexRules, readyRules, type Listed, type RuleIndex } from './rule-index.ts'
import { parseRule, type PermissionRule } from './rule.ts'
import { strippedBecause } from './strip.ts'

/** All rules of a policy, prepared. */
export interface PolicyRules {
  /** List by list, and in each the sources in their order. */
  readonly index: RuleIndex
  /** Rules that forbid and cannot be read, with what can be made out of their tool. */
  readonly broken: readonly { readonly rule: Listed; readonly about: PermissionRule | null }[]
  /** The first rule that forbids a command. */
  readonly command: Listed | undefined
  /** The rules that forbid files. */
  readonly paths: readonly Listed[]
  /** The rules that forbid hosts. */
  readonly hosts: readonly Listed[]
}

/** Prepares the rules of a policy. */
export function policyRules(policy: Policy): PolicyRules {
  const all = (['deny', 'ask', 'allow'] as const).flatMap((list) => rulesOf(policy, list).flatMap(({ rules }) => rules))
  const forbidding = all.filter(({ list }) => list !== 'allow')
  const broken = forbidding.filter(({ ready }) => ready === null).map((rule) => ({ rule, about: aboutOf(rule.text) }))
  const kinds = (kind: PermissionRule['kind']): Listed[] => forbidding.filter(({ ready }) => ready?.rule.kind === kind)
  return { index: indexRules(all), broken, command: kinds('command')[0], paths: kinds('path'), hosts: kinds('domain') }
}

/** The tool that an unreadable rule names can mostly still be made out; null when it may be any. */
function aboutOf(text: string): PermissionRule | null {
  const named = parseRule(/^\w*/.exec(text.trim())?.[0] ?? '')
  return 'error' in named ? null : named
}

/** The rules of one list, source by source. */
export function rulesOf(policy: Policy, list: Behavior): readonly SourceRules[] {
  const without = list === 'allow' ? (rule: PermissionRule) => strippedBecause(rule, policy.mode) : () => null
  return permissionSources.flatMap((source) => {
    const texts = policy.rules[source]?.[list] ?? []
    const origins = policy.origins?.[source]?.[list]
    return texts.length === 0 ? [] : [{ source, rules: readyRules({ source, list, texts, origins, without }) }]
  })
}

interface SourceRules {
  readonly source: PermissionSource
  readonly rules: readonly Listed[]
}
