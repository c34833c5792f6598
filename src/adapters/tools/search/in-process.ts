import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openFile } from '../../fs/open-file.ts'
import {
  compareRows,
  maxRows,
  type FoundFiles,
  type SearchBackend,
  type SearchResult,
  type SearchRow,
} from './backend.ts'
import { isIgnored, noRules, rulesAt, rulesBelow, type IgnoreRules } from './gitignore.ts'
import { scanText, toRegExp, type Scan } from './scan-text.ts'

/*
 * Searches without any other program, for machines that have no ripgrep.
 * Owns: the walk through the directories. Never: follows a link, reads what is not a regular file.
 * 1. It finds what the ripgrep backend finds, in the same order.
 */

interface Walk {
  readonly signal: AbortSignal
  /** Files that `.gitignore` excludes are found, too. */
  readonly unignored: boolean
  unreadable: boolean
}

/** @param unignored what `.gitignore` excludes is found, too */
export function searchHere(unignored: boolean): SearchBackend {
  return {
    async files(root, signal): Promise<FoundFiles> {
      const walk: Walk = { signal, unignored, unreadable: false }
      const paths: string[] = []
      for await (const path of filesBelow(root, rulesFor(root, walk), walk)) paths.push(path)
      return { paths: paths.toSorted(), unreadable: walk.unreadable }
    },

    async search(query, signal): Promise<SearchResult> {
      const { mode, around, multiline = false } = query
      const regex = toRegExp(query.pattern, query.ignoreCase, multiline)
      const walk: Walk = { signal, unignored, unreadable: false }
      const rows: SearchRow[] = []
      for await (const path of await candidates(query.root, walk)) {
        if (!query.wanted(path)) continue
        for (const row of await scanFile(path, { regex, mode, around, multiline }, walk)) rows.push(row)
        if (rows.length > maxRows) break
      }
      const more = rows.length > maxRows
      return { rows: rows.toSorted(compareRows).slice(0, maxRows), more, unreadable: walk.unreadable }
    },
  }
}

export const inProcessBackend = searchHere(false)

function rulesFor(root: string, { unignored }: Walk): IgnoreRules {
  return unignored ? noRules : rulesAt(root)
}

async function candidates(root: string, walk: Walk): Promise<AsyncIterable<string> | readonly string[]> {
  return (await stat(root)).isDirectory() ? filesBelow(root, rulesFor(root, walk), walk) : [root]
}

async function* filesBelow(dir: string, rules: IgnoreRules, walk: Walk): AsyncGenerator<string> {
  walk.signal.throwIfAborted()
  for (const entry of await entriesOf(dir, walk)) {
    const path = join(dir, entry.name)
    if (entry.name === '.git' || isIgnored(rules, path, entry.isDirectory())) continue
    if (entry.isFile()) yield path
    else if (entry.isDirectory()) yield* filesBelow(path, walk.unignored ? noRules : rulesBelow(rules, path), walk)
  }
}

async function entriesOf(dir: string, walk: Walk): Promise<readonly Dirent[]> {
  try {
    return (await readdir(dir, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // One directory that cannot be read does not end the search; the result says that something is missing.
    walk.unreadable = true
    return []
  }
}

async function scanFile(path: string, how: Scan, walk: Walk): Promise<readonly SearchRow[]> {
  walk.signal.throwIfAborted()
  const opened = await openFile(path)
  if ('trouble' in opened) {
    walk.unreadable = true
    return []
  }
  try {
    const bytes = Buffer.from(await opened.bytes())
    const details = scanText(bytes, how)
    return details.map(({ line, detail }) => ({ path, line, detail }))
  } finally {
    await opened.close()
  }
}
