import {
  permissionSources,
  type Behavior,
  type PermissionMode,
  type PermissionSource,
  type Policy,
  type RuleOrigin,
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
  /** Those that forbid files. */
  readonly paths: readonly Listed[]
  /** Those that forbid hosts. */
  readonly hosts: readonly Listed[]
}

interface Compiled {
  readonly mode: PermissionMode
  readonly origins: Policy['origins']
  readonly rules: PolicyRules
}

const compiled = new WeakMap<Policy['rules'], Compiled>()

/** Prepares the rules of a policy; the same policy, and lists that two policies share, are prepared once. */
export function policyRules(policy: Policy): PolicyRules {
  const { mode, origins } = policy
  const before = compiled.get(policy.rules)
  if (before !== undefined && before.mode === mode && before.origins === origins) return before.rules
  const rules = compile(policy)
  compiled.set(policy.rules, { mode, origins, rules })
  return rules
}

const order = ['deny', 'ask', 'allow'] as const

function compile(policy: Policy): PolicyRules {
  const all = order.flatMap((list) => rulesOf(policy, list).flatMap(({ rules }) => rules))
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
  return permissionSources.flatMap((source) => {
    const texts = policy.rules[source]?.[list]
    if (texts === undefined || texts.length === 0) return []
    return [{ source, rules: prepared(texts, policy.origins?.[source]?.[list], { source, list, mode: policy.mode }) }]
  })
}

interface SourceRules {
  readonly source: PermissionSource
  readonly rules: readonly Listed[]
}

interface Use {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly mode: PermissionMode
}

interface Prepared {
  readonly key: string
  readonly origins: readonly RuleOrigin[] | undefined
  readonly rules: readonly Listed[]
}

const known = new WeakMap<readonly string[], Prepared>()

function prepared(texts: readonly string[], origins: readonly RuleOrigin[] | undefined, use: Use): readonly Listed[] {
  const { source, list, mode } = use
  const key = `${source} ${list} ${list === 'allow' ? mode : ''}`
  const before = known.get(texts)
  if (before !== undefined && before.key === key && before.origins === origins) return before.rules
  const without = list === 'allow' ? { without: (rule: PermissionRule) => strippedBecause(rule, mode) } : {}
  const rules = readyRules({ source, list, texts, origins, ...without })
  known.set(texts, { key, origins, rules })
  return rules
}
