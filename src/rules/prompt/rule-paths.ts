import { minimatch } from 'minimatch'

/**
 * The patterns of the files that a rule is for: a list, or one text with commas between them.
 *
 * @returns null where the rule is for all files
 * @example rulePaths({ paths: 'src/*.{ts,tsx}, test/**' }) // ['src/*.{ts,tsx}', 'test/**']
 * @source https://code.claude.com/docs/en/memory, path-specific rules
 */
export function rulePaths(head: unknown): readonly string[] | null {
  const paths: unknown = typeof head === 'object' && head !== null && 'paths' in head ? head.paths : null
  const told: readonly unknown[] = Array.isArray(paths) ? paths : [paths]
  const texts = told.filter((each) => typeof each === 'string').flatMap((each) => each.split(/,(?![^{]*\})/))
  const patterns = texts.map((each) => each.trim().replace(/^\.?\//, '')).filter((each) => each !== '')
  return patterns.length === 0 ? null : patterns
}

/** Whether a rule is for a file. @param path relative to the folder that the rule belongs to, with `/` */
export function isRuleFor(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => minimatch(path, pattern, { dot: true }))
}
