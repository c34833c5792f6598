import { builtinTools } from '../../adapters/tools/registry.ts'
import { ruleComplaint } from '../../rules/settings/settings-document.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import type { Behavior, PermissionMode, Policy } from '../../protocol/permissions/permission.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import { callOf } from '../../rules/tools/call-text.ts'
import { analyse, followPaths } from '../../rules/permissions/analyse.ts'
import { rulesOf } from '../../rules/permissions/rule-index.ts'
import { explain, type Explanation } from '../../rules/permissions/explain.ts'
import { parseRule } from '../../rules/permissions/rule.ts'
import { shadowedRules, type ShadowedRule, type StandingRule } from '../../rules/permissions/shadowed-rules.ts'
import { policyFor } from '../settings/policy.ts'
import { keepRules, type KeptRules } from '../settings/keep-rules.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { loadRules } from '../settings/load-rules.ts'
import { ownPlace } from '../actors/own-place.ts'

/** Where and as what a question about permissions is asked. */
export interface PermissionPlace {
  /** Absolute. */
  readonly cwd: string
  readonly home: string
  readonly policyRoot: string
  readonly mode?: PermissionMode | undefined
}

/** The policy that the settings of a place make, without any team. */
export async function policyAt({ cwd, home, policyRoot, mode }: PermissionPlace): Promise<{
  readonly policy: Policy
  readonly settings: Settings
}> {
  const settings = await loadRules({ cwd, home, policyRoot })
  const policy = policyFor(settings, { cwd, home })
  return { settings, policy: mode === undefined ? policy : { ...policy, mode } }
}

/**
 * Says how a call would be decided where it is asked, with every rule of every source.
 *
 * @param text The call as people write it: `Bash(git push)`.
 * @param given where and as what it is asked; default: the directory and the user of the process
 * @throws Error when the text is no call
 * @example (await explainCall('Bash(git push)')).decision.behavior
 */
export async function explainCall(text: string, given: Partial<PermissionPlace> = {}): Promise<Explanation> {
  const place = { cwd: ownPlace.cwd, home: ownPlace.home, policyRoot: systemPolicyRoot, ...given }
  const call = callOf(text)
  if ('error' in call) throw new Error(call.error)
  const { policy } = await policyAt(place)
  return explain(followPaths(analyse({ ...call, cwd: place.cwd, home: place.home }), resolveReal), policy)
}

/** A rule that stands somewhere, and what keeps it from deciding anything. */
export interface ReportedRule extends StandingRule {
  readonly note?: string
}

/** Every rule in force in the order in which they are looked at, and why some of them decide nothing. */
export async function listRules(place: PermissionPlace): Promise<{
  readonly mode: PermissionMode
  readonly rules: readonly ReportedRule[]
  readonly settings: Settings
}> {
  const { policy, settings } = await policyAt(place)
  const shadowed = shadowedRules(policy)
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((list) => reported(policy, list, shadowed))
  return { mode: policy.mode, rules, settings }
}

function reported(policy: Policy, list: Behavior, shadowed: readonly ShadowedRule[]): readonly ReportedRule[] {
  return rulesOf(policy, list).flatMap(({ source, rules }) =>
    rules.map(({ text, place, problem }): ReportedRule => {
      const shadow = list === 'allow' ? shadowed.find((one) => one.source === source && one.rule === text) : undefined
      const note = problem ?? (shadow === undefined ? undefined : shadowNote(shadow))
      return { source, list, rule: text, ...place, ...(note === undefined ? {} : { note }) }
    }),
  )
}

function shadowNote({ by }: ShadowedRule): string {
  return `never applies: ${by.rule} (${by.list}, ${by.source}${by.at === undefined ? '' : `, ${by.at}`}) comes first`
}

/** The faults of rules that a person typed: `ruleProblems(['Bash('])`. */
export function ruleProblems(rules: readonly string[]): readonly string[] {
  return rules.map(parseRule).flatMap((rule) => ('error' in rule ? [rule.error] : []))
}

/**
 * Writes a rule into a settings file of a person's choice and says what keeps it, or rules it meets, from deciding.
 *
 * @throws Error when the rule cannot be read, or the file is no settings file
 * @example await addRule({ rule: 'Bash(npm test:*)', list: 'allow', target: 'local' }, { cwd, home, policyRoot })
 */
export async function addRule(
  { rule, list, target }: Pick<KeptRules, 'list' | 'target'> & { readonly rule: string },
  place: PermissionPlace,
): Promise<{ readonly path: string; readonly added: boolean; readonly warnings: readonly string[] }> {
  const [wrong] = ruleProblems([rule])
  if (wrong !== undefined) throw new Error(wrong)
  const { path, added } = keepRules({ cwd: place.cwd, home: place.home, target, list, rules: [rule] })
  const { rules } = await listRules(place)
  const about = rules.filter(
    ({ note, rule: text }) => note !== undefined && (text === rule || note.includes(`: ${rule} (`)),
  )
  const complaint = ruleComplaint(rule, { list, tools: builtinTools.map(({ name }) => name) })
  // A tool that only some team has is no mistake; one that is nearly called so is.
  const typo = complaint?.code === 'unknown_tool' && complaint.hint ? [`${complaint.message}: ${complaint.hint}`] : []
  const warnings = [...typo, ...about.map(({ rule: text, note = '' }) => `${text} ${note}`)]
  return { path, added: added.length > 0, warnings }
}
