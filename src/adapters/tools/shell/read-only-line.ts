import { bashCommands } from '../../../rules/shell/bash-commands.ts'
import { isReadOnlyCommand } from '../../../rules/shell/read-only-commands.ts'

/**
 * Whether a command line does nothing but read: every command in it belongs to the read-only set and nothing is
 * redirected. What cannot be understood is not read-only.
 *
 * @example isReadOnlyLine('git log --oneline | head -5') // true
 */
export function isReadOnlyLine(line: string): boolean {
  const { commands, unparsable } = bashCommands(line)
  return unparsable === undefined && commands.every((each) => each.redirects.length === 0 && isReadOnlyCommand(each))
}

/** A read-only line that does not move the shell either: such lines may run side by side. */
export function staysAside(line: string): boolean {
  return isReadOnlyLine(line) && bashCommands(line).commands.every(({ words }) => words[0]?.value !== 'cd')
}
