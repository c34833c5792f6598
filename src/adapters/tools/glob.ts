import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { answer, complaint, fileTrouble } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { placeOf } from './place-of.ts'
import { globComplaint, globTest } from './search/glob-pattern.ts'
import { openSearch } from './search/open-search.ts'

const maxPaths = 1_000

/** Finds files by name. */
export const glob = defineTool({
  name: 'Glob',
  aliases: ['find_files'],
  description: [
    'Finds files by a glob pattern, anywhere below a directory: "*.ts" at any depth, "src/**/*.test.ts", "*.{js,ts}".',
    'Answers with absolute paths, sorted. Hidden files are found; .git and what .gitignore excludes are not.',
    `At most ${maxPaths.toLocaleString('en-US')} paths are shown. To search inside files use Grep.`,
  ].join('\n'),
  input: z.strictObject({
    pattern: z.string().min(1).describe('The glob, relative to path. It may not be absolute or contain "..".'),
    path: z.string().min(1).optional().describe('The directory to search below (default: the working directory).'),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interrupt: 'cancel',
  maxResultChars: 100_000,
  check: async (input) => globComplaint(input.pattern),
  async run(input, context) {
    const root = placeOf(context, input.path ?? '.')
    try {
      if (!(await stat(root)).isDirectory()) return complaint(`${root} is not a directory.`)
    } catch (error) {
      return complaint(fileTrouble(error, root))
    }
    const search = await openSearch(context.env)
    const { paths, unreadable } = await search.files(root, context.signal)
    const found = paths.filter(globTest(input.pattern, root))
    const notes = [
      ...(found.length > maxPaths ? [`[the first ${maxPaths} of ${found.length} files; narrow the pattern]`] : []),
      ...(unreadable ? ['[some directories could not be read]'] : []),
    ]
    if (found.length === 0) return answer([`No files match "${input.pattern}" below ${root}.`, ...notes].join('\n'))
    return answer([...found.slice(0, maxPaths), ...notes].join('\n'))
  },
})
