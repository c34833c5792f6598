import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { PermissionMode, PermissionSource, Policy } from '../../protocol/permissions/permission.ts'
import { modeAuthorities, type WishedModes } from '../permissions/mode.ts'
import { strippedBecause } from '../permissions/rule-index.ts'
import { parseRule } from '../permissions/rule.ts'
import { shadowedRules, standing, type StandingRule } from '../permissions/shadowed-rules.ts'

/** The parts of a policy from which idle rules are found. */
export type WarnedPolicy = Pick<Policy, 'rules' | 'sandboxed'> & {
  readonly origins: NonNullable<Policy['origins']>
  readonly modes: Readonly<Partial<Record<PermissionSource, PermissionMode>>>
}

/**
 * Warnings about allow rules in settings files that never decide anything: another rule always comes first, or the mode
 * that the settings choose puts them out of force.
 *
 * @returns One diagnostic a rule, at the rule's own line.
 * @example ruleWarnings({ rules: { user: { deny: ['Bash'], allow: ['Bash(ls:*)'] } }, origins, modes: {} })[0].code // 'shadowed_rule'
 */
export function ruleWarnings({ modes, ...written }: WarnedPolicy): readonly Diagnostic[] {
  const wished: WishedModes = modes
  const mode = modeAuthorities.map((who) => wished[who]).find((chosen) => chosen !== undefined) ?? 'default'
  const policy = { ...written, mode, bounds: { protected: [], scope: [], blockedHosts: [] }, directories: [] }
  const shadowed = shadowedRules(policy).flatMap(({ by, ...rule }) =>
    warningAt(rule, 'shadowed_rule', `${rule.rule} never applies: ${by.rule} (${by.list}, ${placeOf(by)}) comes first`),
  )
  const stripped = standing(policy, 'allow').flatMap((rule) => {
    const parsed = parseRule(rule.rule)
    const why = 'error' in parsed ? null : strippedBecause(parsed, mode)
    return why === null ? [] : warningAt(rule, 'stripped_rule', why)
  })
  return [...shadowed, ...stripped]
}

function placeOf({ source, at }: StandingRule): string {
  return at ?? source
}

/** Rules that stand in no file came from whoever is starting the run: the command line says so itself. */
function warningAt({ at }: StandingRule, code: string, message: string): Diagnostic[] {
  const found = /^(.*):(\d+)$/.exec(at ?? '')
  if (found === null) return []
  return [{ severity: 'warning', code, message, file: found[1] ?? '', line: Number(found[2]), column: 1 }]
}
