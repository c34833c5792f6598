import type { Action, ActionCommand, ActionPath } from './permission-analyse.ts'
import { allowableSpellings, needsExactRule, spellings } from './bash-runners.ts'
import { spots } from './permission-bounds.ts'
import { coversTool, matchesText, type PermissionRule } from './permission-rule.ts'
import { pathPattern, type PathPattern, type Places } from './path-pattern.ts'

/** A rule made ready to be compared with many calls. `wide` rules forbid, the others permit. */
export interface ReadyRule {
  readonly rule: PermissionRule
  readonly wide: boolean
  readonly pattern: PathPattern | null
}

/** Prepares a parsed rule; the same one may serve any number of calls. */
export function readyRule(rule: PermissionRule, wide: boolean): ReadyRule {
  return { rule, wide, pattern: rule.kind === 'path' ? pathPattern(rule.specifier, wide) : null }
}

/**
 * What a deny or ask rule finds in a call: any command of a line, any path however spelled, the path
 * behind a symlink, an argument of a shell command that may be a file.
 *
 * @returns The text or path that matched, or null.
 */
export function forbids(ready: ReadyRule, action: Action, places: Places): string | null {
  const { rule } = ready
  if (rule.kind === 'path') return action.paths.find((path) => touches(ready, path, { action, places }))?.path ?? null
  if (!coversTool(rule, action.tool)) return null
  if (rule.kind === 'tool') return action.tool
  if (rule.kind === 'domain') return action.hosts.find((host) => coversHost(rule.specifier, host)) ?? null
  if (namesArgument(rule, action)) return rule.specifier
  if (rule.kind === 'value') return null
  return action.commands.find((command) => spellings(command).some((text) => coversCommand(rule, text)))?.text ?? null
}

function touches(ready: ReadyRule, found: ActionPath, call: { action: Action; places: Places }): boolean {
  const { rule, pattern } = ready
  if (pattern === null) return false
  const tool = toolOf(found, call.action.tool)
  const readsToo = found.of === 'operand' && rule.tool === 'Read'
  if (!coversTool(rule, tool) && !readsToo) return false
  if (spots(found).some((spot) => pattern.matches(spot, call.places))) return true
  return found.glob === true && pattern.mayMatch(found.path, call.places)
}

/** A shell reads and writes files too: its paths answer to Read and Edit rules. */
function toolOf(found: ActionPath, tool: string): string {
  if (found.of === 'tool') return tool
  return found.access === 'edit' ? 'Edit' : 'Read'
}

/** Says whether an allow rule permits one command of a shell line. */
export function permitsCommand(ready: ReadyRule, command: ActionCommand, action: Action): boolean {
  const { rule } = ready
  if (rule.tool !== 'Bash') return false
  if (rule.kind === 'tool' || permitsLine(rule, action)) return true
  if (needsExactRule(command) && rule.specifier.includes('*')) return false
  return allowableSpellings(command).some((text) => coversCommand(rule, text))
}

/** Who names a whole line word for word permits just that line, whatever it is made of. */
export function permitsLine(rule: PermissionRule, action: Action): boolean {
  const line = action.input['command']
  return rule.kind === 'command' && typeof line === 'string' && line.trim() === rule.specifier
}

/** Says whether an allow rule permits one file access of `tool`; a resolved symlink must be covered as well. */
export function permitsPath(ready: ReadyRule, found: ActionPath, call: { tool: string; places: Places }): boolean {
  const tool = toolOf(found, call.tool)
  if (!coversTool(ready.rule, tool) || ready.rule.tool === '*') return false
  if (ready.rule.kind === 'tool') return true
  const { pattern } = ready
  return pattern !== null && found.climbs !== true && spots(found).every((spot) => pattern.matches(spot, call.places))
}

/** Says whether an allow rule permits a call that has neither files nor commands to judge. */
export function permitsCall(ready: ReadyRule, action: Action): boolean {
  const { rule } = ready
  if (rule.tool === '*' || !coversTool(rule, action.tool)) return false
  if (rule.kind === 'domain')
    return action.hosts.length > 0 && action.hosts.every((host) => coversHost(rule.specifier, host))
  return rule.kind === 'tool' || namesArgument(rule, action)
}

/**
 * Compares a shell rule with one command. `Bash(npm run *)`: a star is any text; a final ` *` or `:*` also stands for
 * nothing at all, but ends a word.
 */
export function coversCommand(rule: PermissionRule, text: string): boolean {
  const prefix = /^([\s\S]*)(?::\*| \*)$/.exec(rule.specifier)?.[1]
  if (prefix === undefined) return matchesText(rule.specifier, text)
  return matchesText(prefix, text) || matchesText(`${prefix} *`, text)
}

/** `*.example.com` covers what lies below, any other `*` one label. */
function coversHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) {
    const labels = host.split('.')
    return labels.some((_label, i) => i > 0 && coversHost(pattern.slice(2), labels.slice(i).join('.')))
  }
  const wanted = pattern.split('.')
  const given = host.split('.')
  return wanted.length === given.length && wanted.every((label, i) => matchesText(label, given[i] ?? ''))
}

/** `Bash(run_in_background:true)`, `Agent(model:opus)`, `Agent(Explore)`. */
function namesArgument(rule: PermissionRule, action: Action): boolean {
  const pair = /^(\w+):(.*)$/s.exec(rule.specifier)
  const name = pair?.[1]
  if (name !== undefined && name !== 'command' && Object.hasOwn(action.input, name)) {
    return String(action.input[name]) === pair?.[2]
  }
  return rule.kind === 'value' && (action.input['subagent_type'] ?? action.input['name']) === rule.specifier
}
