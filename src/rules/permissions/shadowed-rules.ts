import {
  permissionSources,
  sourceTraits,
  type Behavior,
  type PermissionSource,
  type Policy,
} from '../../protocol/permissions/permission.ts'
import { coversCommand, coversTool, parseRule, type PermissionRule } from './rule.ts'

/** A rule and where it stands. */
export interface StandingRule {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly rule: string
  readonly at?: string
}

/** An allow rule that never decides anything, because another one always comes first. */
export interface ShadowedRule extends StandingRule {
  readonly by: StandingRule
}

/**
 * Finds the allow rules of a policy that never apply: each call they cover is denied, or asked about, by a rule that is
 * as broad or broader.
 *
 * @example shadowedRules({ …, rules: { user: { deny: ['Bash'] }, local: { allow: ['Bash(ls:*)'] } } })
 */
export function shadowedRules(policy: Policy): readonly ShadowedRule[] {
  const above = [...standing(policy, 'deny'), ...standing(policy, 'ask')].flatMap(read)
  return standing(policy, 'allow')
    .flatMap(read)
    .flatMap(({ rule, standing: allowed }) => {
      const by = above.find((other) => covers(other.rule, rule) && !isAnswered(other, rule, policy))
      return by === undefined ? [] : [{ ...allowed, by: by.standing }]
    })
}

interface ReadRule {
  readonly standing: StandingRule
  readonly rule: PermissionRule
}

function read(one: StandingRule): ReadRule[] {
  const rule = parseRule(one.rule)
  return 'error' in rule ? [] : [{ standing: one, rule }]
}

/** In the sandbox a person's own question about all of Bash is not asked, so that it keeps no rule from deciding. */
function isAnswered({ standing: { list, source }, rule: above }: ReadRule, rule: PermissionRule, policy: Policy) {
  if (policy.sandboxed?.allows !== true || list !== 'ask' || !sourceTraits[source].personal) return false
  return rule.tool === 'Bash' && above.kind === 'tool'
}

/** The first of `others` that matches everything `text` matches. */
export function shadowOf(text: string, others: readonly string[]): string | undefined {
  const rule = parseRule(text)
  if ('error' in rule) return undefined
  return others.find((other) => {
    const above = parseRule(other)
    return !('error' in above) && covers(above, rule)
  })
}

/** All rules of one list with their sources, in the order in which they are looked at. */
export function standing(policy: Policy, list: Behavior): readonly StandingRule[] {
  return permissionSources.flatMap((source) =>
    (policy.rules[source]?.[list] ?? []).map((rule, i) => {
      const at = policy.origins?.[source]?.[list]?.[i]?.at
      return { source, list, rule, ...(at === undefined ? {} : { at }) }
    }),
  )
}

function covers(above: PermissionRule, rule: PermissionRule): boolean {
  if (!coversTool(above, rule.tool)) return false
  if (above.kind === 'tool') return true
  if (above.kind !== rule.kind) return false
  if (above.specifier === rule.specifier) return true
  if (above.kind !== 'command') return false
  // A prefix rule is covered when the prefix alone and the prefix with anything behind it are.
  const prefix = rule.specifier.replace(/(:\*| \*)$/, '')
  return coversCommand(above, prefix) && (prefix === rule.specifier || coversCommand(above, `${prefix} \0`))
}
