import {
  permissionSources,
  type Behavior,
  type Decision,
  type PermissionSource,
  type Policy,
} from '../../protocol/permissions/permission.ts'
import type { Places } from '../paths/path-inside.ts'
import type { Action } from './action.ts'
import { judgeBounds } from './bounds.ts'
import { decide, placesOf } from './cascade.ts'
import { needsOf } from './defaults.ts'
import { type Listed, rulesOf } from './rule-index.ts'
import { forbids, type ReadyRule } from './match.ts'
import { coversTool } from './rule.ts'

/** One rule and what it had to say about a call. */
export interface RuleVerdict {
  readonly source: PermissionSource
  readonly rule: string
  readonly at?: string
  readonly matches: boolean
  readonly why: string
}

/** The way of a call through the cascade, every station and every rule of it. */
export interface Explanation {
  readonly decision: Decision
  readonly mode: Policy['mode']
  readonly bounds: string
  /** In the order in which they are looked at; a source without rules is there with none. */
  readonly deny: readonly SourceVerdicts[]
  readonly ask: readonly SourceVerdicts[]
  readonly allow: readonly SourceVerdicts[]
  /** The needs of the call, and whether the mode grants each by itself. */
  readonly needs: readonly { readonly what: string; readonly granted: boolean }[]
}

export interface SourceVerdicts {
  readonly source: PermissionSource
  readonly rules: readonly RuleVerdict[]
}

/**
 * Says why a call is decided as it is: what the bounds say, and for each rule of all six sources why it did or did not
 * match. Looks at every rule, also behind the one that decided.
 *
 * @param action Analysed and, where there is a disk, with symlinks resolved.
 * @example explain(analyse(gitPush), policy).ask
 */
export function explain(action: Action, policy: Policy): Explanation {
  const bounds = judgeBounds(action, policy)
  const verdicts = (list: Behavior): readonly SourceVerdicts[] => {
    const ready = rulesOf(policy, list)
    return permissionSources.map((source) => {
      const rules = ready.find((entry) => entry.source === source)?.rules ?? []
      return { source, rules: rules.map((rule) => verdictOf({ rule, source, list }, action, policy)) }
    })
  }
  return {
    decision: decide(action, policy),
    mode: policy.mode,
    bounds:
      bounds === null ? 'nothing against it' : `${bounds.reason}${bounds.path === undefined ? '' : `: ${bounds.path}`}`,
    deny: verdicts('deny'),
    ask: verdicts('ask'),
    allow: verdicts('allow'),
    needs: needsOf(action, policy).map((need) => ({ what: need.what(), granted: need.granted() })),
  }
}

interface Asked {
  readonly rule: Listed
  readonly source: PermissionSource
  readonly list: Behavior
}

function verdictOf({ rule, source, list }: Asked, action: Action, policy: Policy): RuleVerdict {
  const { text, place, ready, problem = '' } = rule
  const shared = { source, rule: text, ...place }
  if (ready === null) return { ...shared, matches: false, why: problem }
  const places = placesOf(action, policy)
  const found = list === 'allow' ? permittedNeeds(ready, action, { policy, places }) : forbids(ready, action, places)
  return found === null
    ? { ...shared, matches: false, why: whyNot(ready, action) }
    : { ...shared, matches: true, why: list === 'allow' ? `permits ${found}` : `matches ${found}` }
}

function permittedNeeds(
  ready: ReadyRule,
  action: Action,
  { policy, places }: { policy: Policy; places: Places },
): string | null {
  const permitted = needsOf(action, policy).filter((need) => need.permittedBy(ready, places))
  return permitted.length === 0 ? null : permitted.map((need) => need.what()).join(', ')
}

function whyNot({ rule, covers }: ReadyRule, action: Action): string {
  if (rule.kind === 'path') {
    const paths = action.paths.map(({ path }) => path)
    if (paths.length === 0) return 'the call names no file'
    return coversTool(rule, action.tool) || action.tool === 'Bash'
      ? `does not cover ${paths.join(', ')}`
      : `is about ${rule.tool}`
  }
  if (!coversTool(rule, action.tool)) return `is about ${rule.tool}, not ${action.tool}`
  if (rule.kind === 'domain') return `does not cover ${action.hosts.join(', ') || 'a call without a host'}`
  if (rule.sha256 !== undefined && action.commands.some(({ text }) => covers(text)))
    return 'the script is another one than the one that was allowed'
  if (rule.kind === 'command')
    return `covers none of: ${action.commands.map(({ text }) => text || '(a group)').join(' · ')}`
  return rule.kind === 'value'
    ? `the call has no such argument: ${rule.specifier}`
    : 'grants nothing that this call needs'
}
