import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { z } from 'zod'
import { fileTrouble } from '../../fs/file-trouble.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { PatternError, type SearchQuery, type SearchResult } from './backend.ts'
import { closedBelow } from './closed-below.ts'
import { typeComplaint, typeGlob } from './file-types.ts'
import { globComplaint, globTest, plainNameGlob } from './glob-pattern.ts'
import { openSearch, searchedElsewhere } from './open-search.ts'
import { pageOfLines } from './page.ts'
import { stat } from 'node:fs/promises'
import { openFile } from '../../fs/open-file.ts'

const defaultLimit = 250

const around = z.number().int().min(0).max(100).optional()

const input = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression.'),
  path: z.string().min(1).optional().describe('The directory or file to search (default: the working directory).'),
  glob: z.string().min(1).optional().describe('Only files that match this glob, e.g. "*.ts" or "src/**/*.md".'),
  type: z.string().min(1).optional().describe('Only files of this kind, e.g. ts, py, rust, go, md.'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('content: path:line:text; files_with_matches (default): paths; count: path:number of matching lines.'),
  multiline: z.boolean().optional().describe('Let a match go over line ends; "." then matches them too.'),
  '-i': z.boolean().optional().describe('Ignore upper and lower case.'),
  '-n': z.boolean().optional().describe('Line numbers; content always has them.'),
  '-A': around.describe('Lines to show after each match, in content.'),
  '-B': around.describe('Lines to show before each match, in content.'),
  '-C': around.describe('Lines to show before and after each match, in content.'),
  head_limit: z
    .number()
    .int()
    .min(1)
    .max(5_000)
    .optional()
    .describe(`Lines of result to show (default ${defaultLimit}).`),
  offset: z.number().int().min(0).optional().describe('Lines of result to skip, for the next page (default 0).'),
})

/** Searches the content of files. */
export const grep = defineTool({
  name: 'Grep',
  aliases: ['search_files'],
  description: promptText('grep'),
  input,
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  reuse: 'turn',
  interrupt: 'cancel',
  maxResultChars: 60_000,
  check: async ({ glob, type }) =>
    (glob === undefined ? null : globComplaint(glob)) ?? (type === undefined ? null : typeComplaint(type)),
  async run(wish, context) {
    if (context.files.elsewhere) return complaint(searchedElsewhere)
    const place = resolveFrom(context.cwd, context.home, wish.path ?? '.')
    try {
      const root = await searchRoot(place)
      if ('trouble' in root) return complaint(root.trouble)
      if (root.kind === 'binary') return answer(`${place} is a binary file: it has no lines to search.`)
      const search = await openSearch(context)
      const closed = closedBelow(context, place)
      const query = queryOf(wish, place, root.kind)
      const wanted = (path: string): boolean => query.wanted(path) && !closed.holds(path)
      const result = await search.search({ ...query, wanted }, context.signal)
      return answer([shown(result, wish, place), ...closed.note()].join('\n'))
    } catch (error) {
      if (error instanceof PatternError)
        return complaint(`"${wish.pattern}" is not a regular expression: ${error.message}`)
      if (context.signal.aborted) throw error
      return complaint(fileTrouble(error, place))
    }
  },
})

type Wish = z.infer<typeof input>

function queryOf(wish: Wish, root: string, kind: 'directory' | 'file'): SearchQuery {
  const globs = kind === 'file' ? [] : [wish.glob, typeGlob(wish.type ?? '')].filter((glob) => glob !== undefined)
  const tests = globs.map((glob) => globTest(glob, root))
  const nameGlob = globs.map(plainNameGlob).find((glob) => glob !== undefined)
  return {
    root,
    pattern: wish.pattern,
    ignoreCase: wish['-i'] ?? false,
    mode: wish.output_mode ?? 'files_with_matches',
    around: { before: wish['-B'] ?? wish['-C'] ?? 0, after: wish['-A'] ?? wish['-C'] ?? 0 },
    multiline: wish.multiline ?? false,
    wanted: (path) => tests.every((test) => test(path)),
    ...(nameGlob === undefined ? {} : { nameGlob }),
  }
}

function shown(result: SearchResult, wish: Wish, place: string): string {
  const note = result.unreadable ? '\n[some files could not be read]' : ''
  if (result.rows.length === 0) return `No matches for "${wish.pattern}" in ${place}.${note}`
  const lines = result.rows.map((row) => `${row.path}${row.detail}`)
  const page = { offset: wish.offset ?? 0, limit: wish.head_limit ?? defaultLimit }
  return pageOfLines(lines, page, !result.more) + note
}

/** The kind of place where a search is to begin, or the reason why it cannot begin there. */
type SearchRoot = { readonly kind: 'directory' | 'file' | 'binary' } | { readonly trouble: string }

const sniffedBytes = 64 << 10

/** Looks at the place before any backend does, so that all of them mean the same by it. */
async function searchRoot(path: string): Promise<SearchRoot> {
  try {
    if ((await stat(path)).isDirectory()) return { kind: 'directory' }
  } catch (error) {
    return { trouble: fileTrouble(error, path) }
  }
  const opened = await openFile(path)
  if ('trouble' in opened) return opened
  try {
    const start = Buffer.alloc(sniffedBytes)
    return { kind: start.subarray(0, await opened.read(start)).includes(0) ? 'binary' : 'file' }
  } finally {
    await opened.close()
  }
}
