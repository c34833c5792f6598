import { permissionSources, type Decision, type PermissionSource, type Policy } from '../protocol/permission.ts'
import { allowingRule } from './allowing-rule.ts'
import { hidesCommands } from './bash-runners.ts'
import type { Places } from './path-pattern.ts'
import type { Action } from './permission-analyse.ts'
import { judgeBounds } from './permission-bounds.ts'
import { changesFiles, needsOf, type Need } from './permission-defaults.ts'
import { forbids, readyRule, type ReadyRule } from './permission-match.ts'
import { coversTool, parseRule } from './permission-rule.ts'

/** A rule with the list and the source it stands in, or why it cannot be read. */
interface Listed {
  readonly source: PermissionSource
  readonly text: string
  readonly ready: ReadyRule | null
}

interface Lists {
  readonly allow: readonly Listed[]
  readonly ask: readonly Listed[]
  readonly deny: readonly Listed[]
}

/**
 * Decides one call. In this order: bounds, deny rules, plan mode, ask rules, allow rules, the mode's own
 * answer. Within a list the six sources are scanned policy, project, local, user, cliArg, session and the
 * first match is named. A compound shell line is allowed only when each of its parts is.
 *
 * @example decide(analyse(request), policy) // { behavior: 'ask', source: 'mode', reason: '…' }
 */
export function decide(action: Action, policy: Policy): Decision {
  const lists = listsOf(policy)
  const places = { cwd: action.cwd, home: action.home, root: policy.directories[0] ?? action.cwd }
  const bounds = judgeBounds(action, policy)
  if (bounds?.behavior === 'deny') return { behavior: 'deny', source: 'bounds', ...shown(bounds) }
  const denied = firstMatch(lists.deny, action, places)
  if (denied !== null) return { behavior: 'deny', ...denied }
  if (policy.mode === 'plan' && changesFiles(action)) {
    return { behavior: 'deny', source: 'mode', reason: 'plan mode changes no files' }
  }
  const floor = bounds !== null && (bounds.always || policy.mode !== 'bypassPermissions') ? shown(bounds) : null
  const verdict =
    asked(lists, action, places) ??
    (floor === null ? permitted(lists, { action, policy, places }) : asking('bounds', floor))
  return policy.mode === 'dontAsk' && verdict.behavior === 'ask' ? unasked(verdict) : verdict
}

type Grounds = Pick<Decision, 'reason'> & { readonly path?: string }

function shown({ reason, path }: Grounds): Grounds {
  return path === undefined ? { reason } : { reason, path }
}

function asking(source: Decision['source'], grounds: Grounds): Decision {
  return { behavior: 'ask', source, ...grounds }
}

function unasked(verdict: Decision): Decision {
  return { ...verdict, behavior: 'deny', source: 'nobody', reason: `dontAsk mode: ${verdict.reason}` }
}

type Match = Pick<Decision, 'source' | 'reason'> & { readonly rule: string; readonly path?: string }

function firstMatch(list: readonly Listed[], action: Action, places: Places): Match | null {
  for (const { source, text, ready } of list) {
    const found = ready === null ? null : forbids(ready, action, places)
    if (found === null) continue
    const path = ready?.rule.kind === 'path' || ready?.rule.kind === 'domain' ? { path: found } : {}
    return { source, rule: text, reason: `${text} matches ${found}`, ...path }
  }
  return null
}

/** What cannot be judged is asked: a rule, a line, or a command that no rule about commands can see. */
function asked(lists: Lists, action: Action, places: Places): Decision | null {
  const match = firstMatch(lists.ask, action, places)
  if (match !== null) return { behavior: 'ask', ...match }
  const forbidding = [...lists.deny, ...lists.ask]
  const broken = forbidding.find(({ text, ready }) => ready === null && isAbout(text, action.tool))
  if (broken !== undefined) {
    return {
      behavior: 'ask',
      source: broken.source,
      rule: broken.text,
      reason: `the rule ${broken.text} cannot be read`,
    }
  }
  const blind = forbidding.find(({ ready }) => ready?.rule.kind === 'command')
  const hidden = action.commands.find(hidesCommands)
  if (blind === undefined || (hidden === undefined && action.unparsable === undefined)) return null
  const what = action.unparsable ?? `what ${hidden?.text ?? ''} runs is not on the line`
  return { behavior: 'ask', source: blind.source, rule: blind.text, reason: `${blind.text} cannot be checked: ${what}` }
}

/** The tool that an unreadable rule names can mostly still be made out. */
function isAbout(text: string, tool: string): boolean {
  const named = parseRule(/^\w*/.exec(text.trim())?.[0] ?? '')
  return !('error' in named) && coversTool(named, tool)
}

interface Call {
  readonly action: Action
  readonly policy: Policy
  readonly places: Places
}

function permitted(lists: Lists, call: Call): Decision {
  const { action, policy } = call
  if (policy.mode === 'bypassPermissions') {
    return { behavior: 'allow', source: 'mode', reason: 'bypassPermissions mode asks nothing' }
  }
  if (action.unparsable !== undefined) return asking('mode', { reason: action.unparsable })
  let named: Listed | undefined
  for (const need of needsOf(action, policy)) {
    const rule = lists.allow.find(({ ready }) => ready !== null && need.permittedBy(ready, call.places))
    named ??= rule
    if (rule === undefined && !need.granted) return unmet(need, call)
  }
  if (named === undefined) return { behavior: 'allow', source: 'mode', reason: `${policy.mode} mode allows it` }
  return { behavior: 'allow', source: named.source, rule: named.text, reason: `${named.text} allows it` }
}

function unmet(need: Need, { action, policy }: Call): Decision {
  const rule = allowingRule(action, policy.directories[0] ?? action.cwd)
  const way = rule === null ? '' : `; the allow rule ${rule} would permit it`
  return asking('mode', shown({ reason: `${policy.mode} mode asks before ${need.what}${way}`, ...need.where }))
}

const compiled = new WeakMap<Policy['rules'], Lists>()

function listsOf(policy: Policy): Lists {
  const known = compiled.get(policy.rules)
  if (known !== undefined) return known
  const lists = { allow: listed(policy, 'allow'), ask: listed(policy, 'ask'), deny: listed(policy, 'deny') }
  compiled.set(policy.rules, lists)
  return lists
}

function listed(policy: Policy, list: keyof Lists): Listed[] {
  return permissionSources.flatMap((source) =>
    (policy.rules[source]?.[list] ?? []).map((text) => {
      const rule = parseRule(text)
      return { source, text, ready: 'error' in rule ? null : readyRule(rule, list !== 'allow') }
    }),
  )
}
