import { spellings } from '../shell/bash-runners.ts'
import type { BashCommand } from '../shell/bash-command.ts'
import { coversCommand, parseRule } from './rule.ts'

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

/** The call itself asks to run without the sandbox. */
export function leavesSandbox(input: Readonly<Record<string, unknown>>): boolean {
  return input['dangerously_disable_sandbox'] === true
}
