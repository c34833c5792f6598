import type { Function } from 'unbash'
import { editors } from '../file-editors.ts'
import { isReadOnlyName } from '../read-only-commands.ts'

/** The builtins of bash (bash(1), "SHELL BUILTIN COMMANDS") that are no commands which only read. */
const builtins = new Set(
  `. alias bg bind builtin caller compgen complete compopt declare dirs disown enable eval exec fc fg getopts hash help history
  jobs kill logout mapfile readarray source suspend times trap typeset ulimit umask unalias`.split(/\s+/),
)
/** Programs whose output, or whose own words, are followed on a line. */
const followed = new Set('env nice nohup timeout stdbuf xargs awk cp install rsync scp sh bash dash'.split(' '))

export const otherMeaning = 'a function takes the name of a known command'

/**
 * Whether what is known of a command does not hold on this line, since a function has its name: `cd() { :; }`.
 *
 * @example takesKnownName(node of `log() { echo "$1"; }`) // false
 */
export function takesKnownName({ name }: Function): boolean {
  const { value } = name
  return isReadOnlyName(value) || builtins.has(value) || editors.has(value) || followed.has(value)
}
