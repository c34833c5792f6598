import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Host } from './host.ts'
import { UserError } from './user-error.ts'

/**
 * The directory that a command works in: where it was called, or what `--cwd` says.
 *
 * `workingDirectory('..', host)` → `/home/ann`
 * @throws UserError when there is no such directory: a slip would else read as an empty project
 */
export function workingDirectory(given: string | undefined, { cwd }: Pick<Host, 'cwd'>): string {
  if (given === undefined) return cwd
  const directory = resolve(cwd, given)
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return directory
  throw new UserError(`--cwd ${given} is not a directory; give one that exists`)
}
