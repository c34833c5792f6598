import ignore from 'ignore'
import { minimatch } from 'minimatch'
import { isInside, normalPath, resolveFrom } from './path-inside.ts'

/** The directories that a pattern may start from. */
export interface Places {
  readonly cwd: string
  readonly home: string
  /** The project's root: the first working directory. */
  readonly root: string
}

/** A compiled path pattern, ready for any number of paths. */
export interface PathPattern {
  matches(path: string, places: Places): boolean
  /** Whether a glob such as `.en[v]` in the last segment of a path may stand for a file the pattern names. */
  mayMatch(path: string, places: Places): boolean
}

/**
 * Compiles the part in parentheses of a path rule. Gitignore syntax; `//x` is absolute, `~/x` starts at
 * home, `/x` at the project's root, `./x` and `x` at the working directory.
 *
 * @param wide For rules that forbid: a bare pattern holds at any depth of the project, case is ignored,
 *   and `dir/**` covers the directory itself, so that reading it as a whole is covered too.
 */
export function pathPattern(specifier: string, wide: boolean): PathPattern {
  const { from, up, rest } = startOf(specifier)
  const floating = wide && from === 'bare'
  const lines = floating && rest.includes('/') ? [rest, `**/${rest}`] : [anchored(rest, from !== 'bare')]
  const tester = ignore({ ignorecase: wide, allowRelativePaths: true }).add(
    wide ? lines.flatMap((line) => [line, line.replace(/\/\*\*$/, '/')]) : lines,
  )
  const relative = (path: string, places: Places): string | undefined => {
    const base = resolveFrom(baseOf(from, places, floating), places.home, up)
    return isInside(base, path) ? normalPath(path).slice(base === '/' ? 1 : base.length + 1) : undefined
  }
  const matches = (path: string, places: Places): boolean => {
    const inside = relative(path, places)
    if (inside === undefined || inside === '') return inside === '' && rest === '**'
    return tester.ignores(inside) || (wide && tester.ignores(`${inside}/`))
  }
  return {
    matches,
    mayMatch(path, places) {
      const wanted = rest.slice(rest.lastIndexOf('/') + 1)
      const given = path.slice(path.lastIndexOf('/') + 1)
      return minimatch(wanted, given) && matches(`${path.slice(0, -given.length)}${wanted}`, places)
    },
  }
}

type Start = 'absolute' | 'home' | 'root' | 'cwd' | 'bare'

function startOf(specifier: string): { from: Start; up: string; rest: string } {
  if (specifier.startsWith('//')) return { from: 'absolute', up: '.', rest: specifier.slice(2) }
  if (specifier.startsWith('~/')) return { from: 'home', up: '.', rest: specifier.slice(2) }
  if (specifier.startsWith('/')) return { from: 'root', up: '.', rest: specifier.slice(1) }
  const dots = /^(?:\.\.?\/)+/.exec(specifier)?.[0]
  if (dots === undefined) return { from: 'bare', up: '.', rest: specifier }
  return { from: 'cwd', up: dots, rest: specifier.slice(dots.length) }
}

function baseOf(from: Start, places: Places, floating: boolean): string {
  if (from === 'absolute') return '/'
  if (from === 'home') return places.home
  if (from === 'root') return places.root
  return floating && isInside(places.root, places.cwd) ? places.root : places.cwd
}

/** Gitignore anchors a pattern by a leading slash; without one a single name would hold at any depth. */
function anchored(pattern: string, firm: boolean): string {
  if (firm) return `/${pattern}`
  return pattern.startsWith('#') ? `\\${pattern}` : pattern
}
