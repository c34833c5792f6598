import { readdirSync } from 'node:fs'
import { errorCode } from './error-code.ts'
import { resolveReal } from './resolve-real.ts'

/** More directories than this are looked up anew. */
const most = 50_000

/**
 * Makes a `resolveReal` that looks each directory up once: for judging many calls against the disk as it is now, never
 * for a call that is about to run.
 *
 * @returns A function that takes absolute paths in their normal form.
 * @example const real = realPaths(); real('/project/link/a.txt'); real('/project/link/b.txt')
 */
export function realPaths(): (path: string) => string {
  const directories = new Map<string, Looked>()
  return (path) => {
    const end = path.lastIndexOf('/')
    if (end === path.length - 1) return path
    const directory = path.slice(0, end) || '/'
    const name = path.slice(end + 1)
    let known = directories.get(directory)
    if (known === undefined) {
      if (directories.size >= most) directories.clear()
      known = lookAt(resolveReal(directory))
      directories.set(directory, known)
    }
    const here = known.real === directory ? path : `${known.real === '/' ? '' : known.real}/${name}`
    return known.links === null || known.links.has(name) ? resolveReal(here) : here
  }
}

interface Looked {
  readonly real: string
  /** The names of its symbolic links; null when it cannot be listed. */
  readonly links: ReadonlySet<string> | null
}

/** Below a directory that is not there nothing is. */
function lookAt(real: string): Looked {
  try {
    const entries = readdirSync(real, { withFileTypes: true })
    return { real, links: new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)) }
  } catch (error) {
    const absent = errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR'
    return { real, links: absent ? new Set() : null }
  }
}
