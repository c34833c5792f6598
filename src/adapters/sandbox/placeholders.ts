import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'
import { resolveReal } from '../fs/resolve-real.ts'

/** The mode of a placeholder: nobody writes into it, and nobody else makes directories like that. */
export const placeholderMode = 0o500

/** Names that git reads as files, and what stands in one without changing anything. */
export const placeholderTexts: Readonly<Record<string, string>> = {
  commondir: '.\n',
  'config.worktree': '',
  alternates: '',
}

/**
 * The directories and files that have to stand where a command may not write and nothing is yet: only what is there can be mounted
 * over. They lie in writable places; placeholders of another command are among them.
 *
 * @param closed Absolute paths, there or not.
 * @param writable Absolute paths.
 * @example placeholdersFor(['/repo/.claude'], ['/repo']) // ['/repo/.claude'] where there is none
 */
export function placeholdersFor(closed: readonly string[], writable: readonly string[]): readonly string[] {
  const open = writable.map(resolveReal)
  const places = closed
    .map(resolveReal)
    .filter((path) => open.some((dir) => dir !== path && isInside(dir, path)) && !isOfNoRepository(path))
  const outermost = places.filter((path) => !places.some((other) => other !== path && isInside(other, path)))
  return [...new Set(outermost.flatMap(missingOn))]
}

/** Where there is no repository, and none around it, a command may make one. */
function isOfNoRepository(path: string): boolean {
  const above = dirname(path)
  if (basename(above) !== '.git' || existsSync(above)) return false
  for (let at = dirname(above); at !== '/'; at = dirname(at)) if (existsSync(`${at}/.git`)) return false
  return true
}

/** Names that have to stand in the way of a path: the first missing part of it, or the placeholder that is there. */
function missingOn(path: string): readonly string[] {
  if (existsSync(path)) return isPlaceholder(path) ? [path] : []
  const above = dirname(path)
  const higher = missingOn(above)
  if (higher.length > 0) return higher
  return statSync(above).isDirectory() ? [path] : []
}

/** `isPlaceholder('/repo/.claude')`: nothing but what commands stand on meanwhile. */
export function isPlaceholder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  const text = placeholderTexts[basename(path)]
  if (text !== undefined) return found.isFile() && found.size === text.length && readFileSync(path, 'utf8') === text
  return found.isDirectory() && (found.mode & 0o777) === placeholderMode && readdirSync(path).length === 0
}
