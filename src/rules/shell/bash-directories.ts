import type { BashCommand } from './bash-commands.ts'
import { resolveFrom } from '../paths/path-inside.ts'

/** More possible directories than this are as good as unknown. */
const mostDirectories = 32

/**
 * Where each command of a line may find itself. A `cd` may fail or stand in a subshell, so afterwards both
 * the old and the new directory are possible, except for what only runs when it went well: what is to be allowed must hold
 * in all of them.
 *
 * @returns One list per command; null when a `cd` goes where only a running shell knows.
 * @example `cd src; ls` in /repo → [['/repo'], ['/repo', '/repo/src']]
 */
export function directoriesOf(
  commands: readonly BashCommand[],
  from: { readonly cwd: string; readonly home: string },
): readonly (readonly string[] | null)[] {
  let current: readonly string[] | null = [from.cwd]
  const sure = new Map<number | undefined, readonly string[] | null>()
  return commands.map((command) => {
    const { chain } = command
    const here = chain !== undefined && sure.has(chain) ? (sure.get(chain) ?? null) : current
    const next = here === null ? null : afterwards(command, here, from.home)
    if (chain !== undefined && next !== here) sure.set(chain, next)
    current = joined(current, next)
    return here
  })
}

/** Whether the command was reached, and went well, is not known behind its list. */
function joined(before: readonly string[] | null, after: readonly string[] | null): readonly string[] | null {
  if (before === null || after === null || before === after) return before === after ? before : null
  const all = [...new Set([...before, ...after])]
  return all.length > mostDirectories ? null : all
}

function afterwards(command: BashCommand, here: readonly string[], home: string): readonly string[] | null {
  const words = /^(builtin|command)$/.test(command.words[0]?.value ?? '') ? command.words.slice(1) : command.words
  const name = words[0]?.value
  if (name === 'popd') return null
  if (name !== 'cd' && name !== 'pushd') return here
  const [target = { value: '~', glob: false }] = words.slice(1).filter((word) => !/^-[LPe@-]+$/.test(word.value ?? ''))
  const { value } = target
  if (value === null || target.glob || /^[-+]/.test(value)) return null
  if (command.repeats && !/^[~/]/.test(value)) return null
  return [...new Set(here.map((directory) => resolveFrom(directory, home, value)))]
}
