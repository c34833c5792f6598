import { builtinTools, coordinatorToolNames } from '../../adapters/tools/registry.ts'
import { ruleComplaint } from '../../rules/settings/settings-document.ts'
import { placesOfPrograms } from '../../adapters/fs/program-places.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import type { Behavior, PermissionMode, Policy } from '../../protocol/permissions/permission.ts'
import type { Grant } from '../../protocol/permissions/settings.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { namedMember } from '../team-files/named-member.ts'
import { serverOf, speaksOf } from '../../rules/mcp/tool-names.ts'
import { memoryToolsOf } from '../../rules/memory/memory-plan.ts'
import { callOf } from '../../rules/tools/call-text.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import { rulesOf } from '../../rules/permissions/rule-index.ts'
import { explain, type Explanation } from '../../rules/permissions/explain.ts'
import { parseRule } from '../../rules/permissions/rule.ts'
import { shadowedRules, type ShadowedRule, type StandingRule } from '../../rules/permissions/shadowed-rules.ts'
import { policyFor, policyOf } from '../settings/policy.ts'
import { teamPlaces } from '../settings/team-places.ts'
import { trustQuestion } from '../settings/workspace-trust.ts'
import { keepRules, type KeptRules } from '../settings/keep-rules.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { loadRules, type SettingsOptions } from '../settings/load-rules.ts'
import { ownPlace } from '../actors/own-place.ts'

/** Where and as what a question about permissions is asked. */
export interface PermissionPlace {
  /** Absolute. */
  readonly cwd: string
  readonly home: string
  readonly policyRoot: string
  readonly mode?: PermissionMode | undefined
}

/** The same, as one member of a team. */
export interface PlaceOfMember extends PermissionPlace {
  /** A team, with a member by its name, whose rules, mode and scope count beside the settings; the coordinator when none is named. */
  readonly team?: ResolvedTeam | undefined
  readonly member?: string | undefined
}

/** The policy that the settings of a place make, alone or with a team. */
interface PolicyFound {
  readonly policy: Policy
  /** Rules and modes of the workspace's files that do not count, as nobody trusted them. */
  readonly untrusted: readonly Grant[]
  /** Places in settings files that do not count as they are written. */
  readonly problems: readonly Diagnostic[]
}

/** @throws Error for a member that the team does not have */
export async function policyAt({ mode, team, member, ...place }: PlaceOfMember): Promise<PolicyFound> {
  const { policy, ...found } =
    team === undefined ? await policyAlone(place) : await policyOfMember(team, member ?? team.coordinator, place)
  return { policy: mode === undefined ? policy : { ...policy, mode }, ...found }
}

async function policyAlone(place: SettingsOptions): Promise<PolicyFound> {
  const settings = await loadRules(place)
  return { policy: policyFor(settings, place), untrusted: settings.untrusted, problems: settings.problems }
}

async function policyOfMember(team: ResolvedTeam, member: string, place: SettingsOptions): Promise<PolicyFound> {
  const card = namedMember(team, member)
  const { settings, grants } = await trustQuestion(place, team)
  const policy = policyOf(team, card, { ...place, settings, places: await teamPlaces(team, place.cwd) })
  const untrusted = grants.filter(({ kind }) => kind === 'allow' || kind === 'mode')
  return { policy, untrusted, problems: settings.problems }
}

/** The way of a call through the cascade, and the rules that were not looked at: nobody trusts them, or they are broken. */
export type ExplainedCall = Explanation &
  Omit<PolicyFound, 'policy'> & {
    /** Said of a call that the member never makes, as it does not have the tool. */
    readonly never?: string
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
  return explainCallOf(text, { cwd: ownPlace.cwd, home: ownPlace.home, policyRoot: systemPolicyRoot, ...given })
}

/**
 * The same for a member of a team: `explainCallOf('Bash(make)', { cwd, home, policyRoot, team, member: 'fixer' })`
 *
 * @throws Error when the text is no call, or the team has no such member
 */
export async function explainCallOf(text: string, place: PlaceOfMember): Promise<ExplainedCall> {
  const call = callOf(text)
  if ('error' in call) throw new Error(call.error)
  const { policy, ...unlooked } = await policyAt(place)
  const searched = placesOfPrograms(policy, ownPlace.env['PATH'])
  const action = followPaths(analyse({ ...call, cwd: place.cwd, home: place.home, searched }), resolveReal)
  return { ...explain(action, policy), ...unlooked, ...neverMade(call.tool, place) }
}

const byThemselves = new Set([...coordinatorToolNames, 'Report'])
const workTools = new Set(builtinTools.flatMap(({ name }) => (byThemselves.has(name) ? [] : [name])))

/** Tools of the work are those of a card; those for the team come by themselves. */
function neverMade(tool: string, { team, member }: PlaceOfMember): Pick<ExplainedCall, 'never'> {
  const card = team && namedMember(team, member ?? team.coordinator)
  const isOfWork = serverOf(tool) !== null || workTools.has(tool)
  if (card === undefined || !isOfWork) return {}
  const held = [...card.tools, ...memoryToolsOf(card), ...(card.advisor ? ['Advisor'] : [])]
  if (held.some((written) => written === tool || speaksOf(written, tool))) return {}
  return { never: `${card.name} has no tool ${tool}; its tools: ${card.tools.join(', ') || 'none'}` }
}

/** A rule that stands somewhere, and what keeps it from deciding anything. */
export interface ReportedRule extends StandingRule {
  readonly note?: string
}

/** Every rule in force in the order in which they are looked at, and why some of them decide nothing. */
export async function listRules(
  place: PlaceOfMember,
): Promise<Omit<PolicyFound, 'policy'> & { readonly mode: PermissionMode; readonly rules: readonly ReportedRule[] }> {
  const { policy, ...unlooked } = await policyAt(place)
  const shadowed = shadowedRules(policy)
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((list) => reported(policy, list, shadowed))
  return { mode: policy.mode, rules, ...unlooked }
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
