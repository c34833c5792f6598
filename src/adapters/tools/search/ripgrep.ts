import { dirname } from 'node:path'
import { runCommand } from '../../process/run-command.ts'
import {
  compareRows,
  maxRows,
  PatternError,
  type FoundFiles,
  type SearchBackend,
  type SearchMode,
  type SearchQuery,
  type SearchResult,
  type SearchRow,
} from './backend.ts'
import { startsExcluded } from './gitignore.ts'
import { readContent, readCounts, readPaths, readTouchedLines, type RowReader } from './ripgrep-output.ts'

/*
 * Searches with a ripgrep binary.
 * Owns: its command line. Never: decides what to search for.
 * 1. The user's own ripgrep configuration and ignore files outside the repository count for nothing.
 * 2. Rows come out sorted although ripgrep searches in parallel; a search with too many rows runs again in order,
 *    so that the rows which are kept are always the same.
 */

interface Ripgrep {
  readonly binary: string
  readonly env: Readonly<Record<string, string>>
  /** Files that `.gitignore` excludes are found, too. */
  readonly unignored: boolean
}

const scope = [
  '--no-config',
  '--hidden',
  '--glob',
  '!.git',
  '--no-ignore-dot',
  '--no-ignore-global',
  '--no-ignore-exclude',
]

interface Mode {
  readonly args: readonly string[]
  readonly reader: () => RowReader
}

const touched: Mode = { args: ['--json'], reader: readTouchedLines }
const modes: Record<SearchMode, Mode> = {
  content: { args: ['--json'], reader: readContent },
  files_with_matches: { args: ['--files-with-matches', '--null'], reader: readPaths },
  count: { args: ['--count', '--with-filename', '--null'], reader: readCounts },
}

/** `ripgrepBackend('/usr/bin/rg', context.env)`. */
export function ripgrepBackend(binary: string, env: Ripgrep['env'], unignored = false): SearchBackend {
  const ripgrep = { binary, env, unignored }
  return {
    files: (root, signal) => listFiles(ripgrep, root, signal),
    async search(query, signal) {
      const result = await collect(ripgrep, query, { signal, order: [] })
      return result.more ? collect(ripgrep, query, { signal, order: ['--sort', 'path'] }) : result
    },
  }
}

async function listFiles(ripgrep: Ripgrep, root: string, signal: AbortSignal): Promise<FoundFiles> {
  const reader = readPaths()
  const paths: string[] = []
  const keep = (text: string): void => {
    for (const row of reader.read(text)) paths.push(row.path)
  }
  const unreadable = await run(ripgrep, { args: ['--files', '--null', '--', root], root, hear: keep, signal })
  signal.throwIfAborted()
  return { paths: paths.toSorted(), unreadable }
}

async function collect(
  ripgrep: Ripgrep,
  query: SearchQuery,
  { signal, order }: { signal: AbortSignal; order: readonly string[] },
): Promise<SearchResult> {
  const mode = query.multiline && query.mode === 'count' ? touched : modes[query.mode]
  const reader = mode.reader()
  const enough = new AbortController()
  const rows: SearchRow[] = []
  const keep = (text: string): void => {
    for (const row of reader.read(text)) if (query.wanted(row.path)) rows.push(row)
    if (rows.length > maxRows) enough.abort()
  }
  const args = [
    ...mode.args,
    ...order,
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.around && query.mode === 'content'
      ? [`--before-context=${query.around.before}`, `--after-context=${query.around.after}`]
      : []),
    ...(query.nameGlob === undefined ? [] : ['--type-add', `wanted:${query.nameGlob}`, '--type', 'wanted']),
    '--engine',
    'auto',
    '--crlf',
    '--regexp',
    query.pattern,
    '--',
    query.root,
  ]
  const either = AbortSignal.any([signal, enough.signal])
  const unreadable = await run(ripgrep, { args, root: query.root, hear: keep, signal: either })
  signal.throwIfAborted()
  return { rows: rows.toSorted(compareRows).slice(0, maxRows), more: rows.length > maxRows, unreadable }
}

interface Errand {
  readonly args: readonly string[]
  readonly root: string
  readonly hear: (text: string) => void
  readonly signal: AbortSignal
}

/** Runs ripgrep and says whether it met paths that it could not read. */
async function run(ripgrep: Ripgrep, errand: Errand): Promise<boolean> {
  // Otherwise the rules that exclude the place would go on excluding what lies in it.
  const excluded = startsExcluded(errand.root) ? ['--no-ignore-parent', '--no-require-git'] : []
  const inside = ripgrep.unignored ? ['--no-ignore'] : excluded
  const end = await runCommand([ripgrep.binary, ...scope, ...inside, ...errand.args], {
    cwd: dirname(errand.root),
    env: ripgrep.env,
    signal: errand.signal,
    onOutput: errand.hear,
  })
  if (end.failure !== null) throw new Error(`ripgrep could not be started: ${end.failure}`)
  if (end.exitCode !== 2) return false
  const regex = /(?:regex|PCRE2)/.test(end.errors) && /^error: (.+)$/m.exec(end.errors)
  if (regex) throw new PatternError(regex[1])
  return true
}
