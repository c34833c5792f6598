/** The form of a search result: matching lines, files with a match, or the number of matching lines in each file. */
export type SearchMode = 'content' | 'files_with_matches' | 'count'

export interface SearchQuery {
  /** Absolute: a directory to search below, or one file. */
  readonly root: string
  readonly pattern: string
  readonly ignoreCase: boolean
  readonly mode: SearchMode
  /** A match may go over line ends, which `.` matches too; each line that it touches is a matching one. */
  readonly multiline?: boolean
  /** Lines shown before and after each match, in the mode `content`. */
  readonly around?: { readonly before: number; readonly after: number }
  /** Only files whose absolute path satisfies this. */
  readonly wanted: (path: string) => boolean
  /** A glob on the file name alone that every wanted file satisfies: it only saves time. */
  readonly nameGlob?: string
}

/** One line of a result. Its text form is `path` followed by `detail`. */
export interface SearchRow {
  readonly path: string
  /** 0 where the mode has no lines. */
  readonly line: number
  readonly detail: string
}

export interface SearchResult {
  /** Sorted by path and line. */
  readonly rows: readonly SearchRow[]
  /** True when rows were left out. */
  readonly more: boolean
  /** Some paths could not be read. */
  readonly unreadable: boolean
}

export interface FoundFiles {
  /** Absolute paths of regular files, sorted. */
  readonly paths: readonly string[]
  readonly unreadable: boolean
}

/**
 * Finds files and lines below a directory. All backends skip `.git` and what `.gitignore` files of the repository
 * exclude, see hidden files, and do not follow symbolic links; binary files have no lines.
 */
export interface SearchBackend {
  files(root: string, signal: AbortSignal): Promise<FoundFiles>
  /** @throws PatternError when the pattern is not a regular expression. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
}

/** The pattern cannot be used; the message says why, in words for the model. */
export class PatternError extends Error {}

/** Rows kept of one search; whoever has more than this needs a narrower pattern, not more rows. */
export const maxRows = 20_000
/** Characters kept of one line. */
export const maxLineChars = 500

/** Orders rows as every backend returns them. */
export function compareRows(a: SearchRow, b: SearchRow): number {
  if (a.path === b.path) return a.line - b.line
  return a.path < b.path ? -1 : 1
}

/** The part of a content row behind its path: `lineDetail(12, 'text')` → `:12:text`; a line around a match has dashes. */
export function lineDetail(line: number, text: string, sign: ':' | '-' = ':'): string {
  const clean = text.replace(/\r?\n?$/, '')
  const cut = clean.length > maxLineChars ? `${clean.slice(0, maxLineChars).replace(/[\uD800-\uDBFF]$/, '')}…` : clean
  return `${sign}${line}${sign}${cut}`
}
