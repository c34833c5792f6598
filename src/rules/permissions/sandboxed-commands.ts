import { sourceTraits, type PermissionSource, type Policy } from '../../protocol/permissions/permission.ts'
import { spellings } from '../shell/bash-runners.ts'
import type { BashCommand } from '../shell/bash-commands.ts'
import type { Action } from './analyse.ts'
import { coversCommand } from './match.ts'
import { parseRule } from './rule.ts'

/** The rules of one person alone: their questions about all of Bash are not asked where a sandbox lets commands through. */
export function isPersonal(source: PermissionSource): boolean {
  return sourceTraits[source].personal
}

/**
 * Says whether a shell line runs inside a sandbox that makes questions about it needless: there is one, its settings say
 * so, and nothing in the line stays outside. Plan mode and dontAsk keep their own answers.
 */
export function isFenced(action: Action, { sandboxed, mode }: Policy): boolean {
  if (sandboxed?.allows !== true || action.tool !== 'Bash' || leavesSandbox(action.input)) return false
  if (mode !== 'default' && mode !== 'acceptEdits') return false
  return !isExcluded(action.commands, sandboxed.excluded)
}

/** The call itself asks to run without the sandbox. */
export function leavesSandbox(input: Readonly<Record<string, unknown>>): boolean {
  return input['dangerously_disable_sandbox'] === true
}

/**
 * Says whether some command of a line is one of those that settings keep outside of the sandbox.
 *
 * @example isExcluded(analyse(dockerPs).commands, ['docker *']) // true
 */
export function isExcluded(commands: readonly BashCommand[], patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const rule = parseRule(`Bash(${pattern})`)
    if ('error' in rule) return false
    return commands.some((command) => spellings(command).some((text) => coversCommand(rule, text)))
  })
}
