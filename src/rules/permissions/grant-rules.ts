import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Grants, NearRule } from '../../protocol/permissions/approval-file.ts'
import { needsExactRule } from '../shell/bash-runners.ts'
import { hidesCommands } from '../shell/bash-unseen.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { scriptContent } from '../shell/walk/script-content.ts'
import { isInside } from '../paths/path-inside.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'
import { decide } from './cascade.ts'
import { explain } from './explain.ts'
import { savedWords } from './saved-commands.ts'
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

/** A line with a star in it would be read as a pattern. */
function exactRules(action: Action, root: string): readonly string[] | null {
  if (action.tool !== 'Bash') return otherRules(action, root)
  const line = action.input['command']
  return typeof line === 'string' && !line.includes('*') ? [`Bash(${line.trim()})`] : null
}

function kindRules(action: Action, root: string): readonly string[] | null {
  if (action.tool !== 'Bash') return otherRules(action, root)
  if (action.unparsable !== undefined || hasHereDocument(action)) return null
  const commands = action.commands
    .filter(({ within }) => within !== true)
    .map((command) => commandRule(command, { action, root }))
  const redirects = action.paths.flatMap((path) => (path.of === 'redirect' ? [pathRule(path, root)] : []))
  const rules = commands.flatMap((rule) => rule ?? [])
  return rules.length < commands.length ? null : [...rules, ...redirects]
}

/** The line holds a here-document, whose text no rule can say. */
function hasHereDocument(action: Action): boolean {
  const line = action.input['command']
  return typeof line === 'string' && line.includes('<<')
}

function commandRule(
  command: ActionCommand,
  { action, root }: { readonly action: Action; readonly root: string },
): string | null {
  if (hidesCommands(command)) return null
  const words = unwrapped(command.words)
  const exact = command.text === '' || command.text.includes('*') ? null : `Bash(${command.text})`
  const script = exact === null ? null : scriptContent(command, action)
  // A yes to a script of the project is one to what it says now.
  if (script !== null && isInside(root, script.path)) return `Bash(${command.text} #sha256:${script.sha256})`
  if (needsExactRule(command) || command.assignments.length > 0 || words.length < 2) return exact
  const kind = savedWords(words.map(({ text }) => text))
  return kind === null ? exact : `Bash(${kind}:*)`
}

function otherRules(action: Action, root: string): readonly string[] | null {
  if (action.unparsable !== undefined) return null
  if (action.tool === 'WebFetch') return action.hosts.map((host) => `WebFetch(domain:${host})`)
  if (action.paths.length === 0 || action.foreign === true) return [action.tool]
  return action.paths.map((path) => pathRule(path, root))
}

/** A folder stands for all that is in it. In rules `/` is the project's root and `//` that of the file system; what means something in a pattern is escaped. */
function pathRule({ path, access }: ActionPath, root: string): string {
  const literal = path.replaceAll(/[\\*?[\]! ]/g, (sign) => `\\${sign}`)
  const start = root.replaceAll(/[\\*?[\]! ]/g, (sign) => `\\${sign}`)
  const written = isInside(root, path) && path !== root ? literal.slice(start.length) : `/${literal}`
  return `${access === 'edit' ? 'Edit' : 'Read'}(${written})`
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
