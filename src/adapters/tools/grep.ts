import { z } from 'zod'
import { answer, complaint, fileTrouble } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { placeOf } from './place-of.ts'
import { PatternError, type SearchQuery, type SearchResult } from './search/backend.ts'
import { globComplaint, globTest, plainNameGlob } from './search/glob-pattern.ts'
import { openSearch } from './search/open-search.ts'
import { pageOf } from './search/page.ts'
import { searchRoot } from './search/search-root.ts'

const defaultLimit = 250

const input = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression, matched line by line.'),
  path: z.string().min(1).optional().describe('The directory or file to search (default: the working directory).'),
  glob: z.string().min(1).optional().describe('Only files that match this glob, e.g. "*.ts" or "src/**/*.md".'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('content: path:line:text; files_with_matches (default): paths; count: path:number of matching lines.'),
  '-i': z.boolean().optional().describe('Ignore upper and lower case.'),
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
  description: [
    'Searches files for a regular expression, with ripgrep where it is installed. Escape what is meant literally: "foo\\\\(".',
    'Answers with the files that match; set output_mode to see the lines or to count them. Sorted by path.',
    'Hidden files are searched; .git, binary files and what .gitignore excludes are not. Long lines are cut.',
    'A footer says when there is more and which offset shows it.',
  ].join('\n'),
  input,
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interrupt: 'cancel',
  maxResultChars: 60_000,
  check: async (wish) => (wish.glob === undefined ? null : globComplaint(wish.glob)),
  async run(wish, context) {
    const place = placeOf(context, wish.path ?? '.')
    try {
      const root = await searchRoot(place)
      if ('trouble' in root) return complaint(root.trouble)
      if (root.kind === 'binary') return answer(`${place} is a binary file: it has no lines to search.`)
      const search = await openSearch(context.env)
      const result = await search.search(queryOf(wish, place, root.kind), context.signal)
      return answer(shown(result, wish, place))
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
  const glob = kind === 'directory' ? wish.glob : undefined
  const nameGlob = glob === undefined ? undefined : plainNameGlob(glob)
  return {
    root,
    pattern: wish.pattern,
    ignoreCase: wish['-i'] ?? false,
    mode: wish.output_mode ?? 'files_with_matches',
    wanted: glob === undefined ? () => true : globTest(glob, root),
    ...(nameGlob === undefined ? {} : { nameGlob }),
  }
}

function shown(result: SearchResult, wish: Wish, place: string): string {
  const note = result.unreadable ? '\n[some files could not be read]' : ''
  if (result.rows.length === 0) return `No matches for "${wish.pattern}" in ${place}.${note}`
  const lines = result.rows.map((row) => `${row.path}${row.detail}`)
  const page = { offset: wish.offset ?? 0, limit: wish.head_limit ?? defaultLimit }
  return pageOf(lines, page, !result.more) + note
}
