import type { BashCommand } from '../bash-command.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { resolveFrom } from '../../paths/path-inside.ts'

/** Where a command is looked at, and who reads files. */
interface Place {
  readonly cwd: string
  readonly home: string
  readonly disk?: { readonly hash?: ((path: string) => string | null) | undefined } | undefined
}

/** A script that a command runs by its path, and its content now. */
interface ScriptContent {
  readonly path: string
  readonly sha256: string
}

/**
 * The script that a command runs by its path: `./build.sh`, `bash tools/build.sh`. Null where it runs none, or where it is only
 * known when it runs.
 *
 * @example scriptContent(command, action)?.sha256
 */
export function scriptContent(
  command: Pick<BashCommand, 'words' | 'directories'>,
  { cwd, home, disk }: Place,
): ScriptContent | null {
  const [program, first] = unwrapped(command.words)
  const word = /^(ba|da|z|k)?sh$/.test(commandName(program ? [program] : [])) ? first : program
  const written = word?.value ?? ''
  const [directory = cwd, ...others] = command.directories ?? [null, null]
  if (directory === null || others.length > 0 || written.startsWith('-')) return null
  if (word === program && !written.includes('/')) return null
  const path = resolveFrom(directory, home, written)
  const sha256 = disk?.hash?.(path) ?? null
  return written === '' || sha256 === null ? null : { path, sha256 }
}
