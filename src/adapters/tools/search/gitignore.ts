import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** The ignore rules in force inside one directory, nearest first. Outside a repository there are none. */
export interface IgnoreRules {
  readonly inRepository: boolean
  readonly levels: readonly { readonly dir: string; readonly rules: Ignore }[]
}

/** Rules that exclude nothing. */
export const noRules: IgnoreRules = { inRepository: false, levels: [] }

/**
 * The rules that hold inside a directory where a search starts: those of every `.gitignore` from the root of its
 * repository down to it, unless they exclude the directory itself; whoever searches there wants to see it.
 *
 * @example const rules = rulesAt('/project/src')
 */
export function rulesAt(dir: string): IgnoreRules {
  return start(dir).rules
}

/** Whether a search that starts here starts in what the repository excludes: then only rules from here down hold. */
export function startsExcluded(dir: string): boolean {
  return start(dir).excluded
}

function start(dir: string): { readonly rules: IgnoreRules; readonly excluded: boolean } {
  const parents = [dir]
  while (!isRepository(parents[0] ?? '/')) {
    const up = dirname(parents[0] ?? '/')
    if (up === parents[0]) return { rules: noRules, excluded: false }
    parents.unshift(up)
  }
  let rules = noRules
  let excluded = false
  for (const parent of parents) {
    const closed = parent !== parents[0] && isIgnored(rules, parent, true)
    excluded ||= closed
    rules = rulesBelow(closed ? { ...rules, levels: [] } : rules, parent)
  }
  return { rules, excluded }
}

/** The rules inside `dir`, given those of its parent. A repository inside a repository starts afresh. */
export function rulesBelow(parent: IgnoreRules, dir: string): IgnoreRules {
  const base = isRepository(dir) ? { inRepository: true, levels: [] } : parent
  if (!base.inRepository) return base
  const text = gitignoreOf(dir)
  if (text === null) return base
  const rules = ignore({ ignorecase: false }).add(text)
  return { inRepository: true, levels: [{ dir, rules }, ...base.levels] }
}

/** Whether the rules exclude a path; the nearest `.gitignore` that says anything decides. */
export function isIgnored(rules: IgnoreRules, path: string, isDirectory: boolean): boolean {
  for (const level of rules.levels) {
    const below = relative(level.dir, path) + (isDirectory ? '/' : '')
    const verdict = level.rules.test(below)
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

function isRepository(dir: string): boolean {
  return existsSync(join(dir, '.git'))
}

function gitignoreOf(dir: string): string | null {
  try {
    return readFileSync(join(dir, '.gitignore'), 'utf8')
  } catch {
    // Absent, a directory, not readable: git goes on without it too.
    return null
  }
}
