import ignore from 'ignore'
import { mayFit } from './name-patterns.ts'

/** A segment that is empty, `.` or `..`, the one behind a trailing slash included. */
const unusual = /\/\.{0,2}(?:\/|$)/

/**
 * The normal form of an absolute path: no empty, `.` or `..` segment, no trailing slash. Symlinks are not
 * looked at; that needs the disk.
 *
 * @example normalPath('/a/./b/../c/') // '/a/c'
 */
export function normalPath(path: string): string {
  if (path.startsWith('/') && !unusual.test(path)) return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

/**
 * Says whether an absolute path is a directory or lies below it, compared segment by segment, so that
 * `/repo-evil` is not inside `/repo`. A relative path is inside nothing.
 *
 * @example isInside('/repo', '/repo/src/../../etc') // false
 */
export function isInside(dir: string, path: string): boolean {
  if (!dir.startsWith('/') || !path.startsWith('/')) return false
  const base = normalPath(dir)
  const target = normalPath(path)
  if (base === '/') return true
  return target.startsWith(base) && (target.length === base.length || target[base.length] === '/')
}

/**
 * Makes a path as people write it absolute: `~` and `~/x` start at the home directory, a relative one at `cwd`.
 *
 * @example resolveFrom('/repo', '/home/ann', '~/notes/../x') // '/home/ann/x'
 */
export function resolveFrom(cwd: string, home: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return normalPath(`${home}${path.slice(1)}`)
  if (path.startsWith('/')) return normalPath(path)
  return normalPath(`${cwd}/${path.startsWith('./') ? path.slice(2) : path}`)
}

/** The directories that a pattern may start from. */
export interface Places {
  readonly cwd: string
  readonly home: string
  /** The project's root: the first working directory. */
  readonly root: string
}

/** A compiled path pattern, ready for any number of paths. */
export interface PathPattern {
  /** Text in small letters that every path which the pattern matches contains. */
  readonly sure: string
  /** Words that every such path has, as `pathWords` finds them. */
  readonly words: readonly string[]
  matches(path: string, places: Places): boolean
  /** The one file or directory that the pattern means, with all that is in it; null where wildcards make it many. */
  whole(places: Places): string | null
  /** Whether a glob such as `.en[v]` in the last segment of a path may stand for a file the pattern names. */
  mayMatch(path: string, places: Places): boolean
  /** Whether files that the pattern names may lie below a directory that is read as a whole. */
  mayLieBelow(dir: string, search: Search | undefined, places: Places): boolean
}

interface Search {
  readonly hidden: boolean
  readonly only: readonly string[]
  /** The names may be those of directories. */
  readonly deep?: true
}

/**
 * Compiles the part in parentheses of a path rule. Gitignore syntax; `//x` is absolute, `~/x` starts at
 * home, `/x` at the project's root, `./x` and `x` at the working directory.
 *
 * @param wide For rules that forbid: a bare pattern holds at any depth of the project, case is ignored,
 *   and `dir/**` covers the directory itself, so that reading it as a whole is covered too.
 * @param anchor The directory that a leading `/` means, when it is not the project's root.
 */
export function pathPattern(specifier: string, wide: boolean, anchor?: string): PathPattern {
  const { from, up, rest } = startOf(specifier)
  const floating = wide && from === 'bare'
  const lines = floating && rest.includes('/') ? [rest, `**/${rest}`] : [anchored(rest, from !== 'bare')]
  const tester = ignore({ ignorecase: wide, allowRelativePaths: true }).add(
    wide ? lines.flatMap((line) => [line, line.replace(/\/\*\*$/, '/')]) : lines,
  )
  const baseIn = baseOfRule({ from, up, floating, anchor })
  const steady = floating ? '' : steadyPart(rest)
  const relative = (path: string, places: Places): string | undefined => {
    const base = baseIn(places)
    const given = normalPath(path)
    if (given === base) return ''
    const start = base === '/' ? '/' : `${base}/`
    return given.startsWith(start) ? given.slice(start.length) : undefined
  }
  const matches = (path: string, places: Places): boolean => {
    const inside = relative(path, places)
    if (inside === undefined || inside === '') return inside === '' && rest === '**'
    return tester.ignores(inside) || (wide && tester.ignores(`${inside}/`))
  }
  return {
    sure: sureText(rest),
    words: sureWords(rest),
    matches,
    whole: (places) => (floating ? null : onePath(baseIn(places), rest)),
    mayMatch(path, places) {
      const wanted = rest.slice(rest.lastIndexOf('/') + 1)
      const given = path.slice(path.lastIndexOf('/') + 1)
      return mayStandFor(given, wanted) && matches(`${path.slice(0, -given.length)}${wanted}`, places)
    },
    mayLieBelow(dir, search, places) {
      if (search !== undefined && isPassedOver(rest, search)) return false
      const start = steady === '' ? baseIn(places) : normalPath(`${baseIn(places)}/${steady}`)
      return isInside(dir, start) || isInside(start, dir)
    },
  }
}

interface RuleStart {
  readonly from: Start
  readonly up: string
  readonly floating: boolean
  readonly anchor: string | undefined
}

/** Where a pattern starts; the same places come again for every path of a call. */
function baseOfRule({ from, up, floating, anchor }: RuleStart): (places: Places) => string {
  let last: { readonly places: Places; readonly base: string } | undefined
  return (places) => {
    if (last?.places === places) return last.base
    const start = from === 'root' && anchor !== undefined ? anchor : baseOf(from, places, floating)
    last = { places, base: resolveFrom(start, places.home, up) }
    return last.base
  }
}

/** The path that a pattern without wildcards, but for a last `**`, names. */
function onePath(base: string, pattern: string): string | null {
  const name = pattern.replace(/\/\*\*$/, '')
  return /[\\*?[\]{}!]/.test(name) ? null : normalPath(`${base}/${name}`)
}

/** The longest text between a pattern's wildcards; empty where the pattern may escape or choose letters. */
function sureText(pattern: string): string {
  if (/[\\[\](){}!]/.test(pattern)) return ''
  const texts = pattern.toLowerCase().match(/[\w.-]+/g) ?? []
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

/** The words of a pattern that no wildcard touches. */
function sureWords(pattern: string): readonly string[] {
  return /[\\[\](){}!]/.test(pattern) ? [] : (pattern.toLowerCase().match(/(?<![\w*?])\w+(?![\w*?])/g) ?? [])
}

/** `pathWords('/src/Main.ts')`: src, main and ts. */
export function pathWords(path: string): readonly string[] {
  return path.toLowerCase().match(/\w+/g) ?? []
}

/** A star passes over hidden files; one character in its place may be the dot. */
function mayStandFor(glob: string, name: string): boolean {
  return mayFit(name, glob, { dot: /^[?[]/.test(glob) })
}

/** The directories of a pattern in front of its first wildcard. */
function steadyPart(pattern: string): string {
  return /^[^*?[\]{}\\]*(?=\/)/.exec(pattern)?.[0] ?? ''
}

/** A search that leaves out hidden files, or opens files of some names only, may never see what the pattern names. */
function isPassedOver(pattern: string, { hidden, only, deep }: Search): boolean {
  const parts = pattern.split('/')
  if (!hidden && parts.some((part) => /^\.[^.*?]/.test(part))) return true
  const name = parts.at(-1) ?? ''
  return (
    only.length > 0 &&
    deep !== true &&
    !/[*?[]/.test(name) &&
    !only.some((wanted) => mayFit(name, wanted, { dot: true }))
  )
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
