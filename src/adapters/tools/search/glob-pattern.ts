import { relative } from 'node:path'
import { Minimatch } from 'minimatch'

/**
 * Makes the test for a glob relative to a directory. A pattern without a slash looks at file names at any depth,
 * as in a `.gitignore`; one that ends in a slash means everything below.
 *
 * @example globTest('src/**\/*.ts', '/project')('/project/src/a.ts') // true
 */
export function globTest(pattern: string, root: string): (path: string) => boolean {
  const trimmed = pattern.replace(/^(?:\.\/+)+/, '')
  const whole = trimmed.endsWith('/') ? `${trimmed}**` : trimmed
  const glob = new Minimatch(whole, { dot: true, matchBase: true, nocomment: true })
  return (path) => glob.match(relative(root, path))
}

/** Why a glob cannot be used, in words for the model, or null: it must stay below the directory that was judged. */
export function globComplaint(pattern: string): string | null {
  const leaves = /^[/~]/.test(pattern) || /(?:^|[/{,])\.\.(?:$|[/},])/.test(pattern)
  return leaves
    ? `"${pattern}" must stay below the directory: give the directory as path and a pattern relative to it.`
    : null
}

/** The glob when it is plain and about file names alone, so that any tool understands it alike. */
export function plainNameGlob(pattern: string): string | undefined {
  return /^[\w.*?{},-]+$/.test(pattern) ? pattern : undefined
}
