import type { BashCommand } from './bash-commands.ts'
import { resolveFrom } from './path-inside.ts'

/** More possible directories than this are as good as unknown. */
const mostDirectories = 32

/**
 * Where each command of a line may find itself. A `cd` may fail or stand in a subshell, so afterwards both
 * the old and the new directory are possible: what is to be allowed must hold in all of them.
 *
 * @returns One list per command; null when a `cd` goes where only a running shell knows.
 * @example `cd src && ls` in /repo → [['/repo'], ['/repo', '/repo/src']]
 */
export function directoriesOf(
  commands: readonly BashCommand[],
  from: { readonly cwd: string; readonly home: string },
): readonly (readonly string[] | null)[] {
  let current: readonly string[] | null = [from.cwd]
  return commands.map((command) => {
    const here = current
    current = here === null ? null : afterwards(command, here, from.home)
    return here
  })
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
  const next = [...new Set([...here, ...here.map((directory) => resolveFrom(directory, home, value))])]
  return next.length > mostDirectories ? null : next
}
