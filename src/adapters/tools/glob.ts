import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { fileTrouble } from '../fs/file-trouble.ts'
import { answer, complaint } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { placeOf } from './place-of.ts'
import { promptText } from './prompt-text.ts'
import { closedBelow } from './search/closed-below.ts'
import { globComplaint, globTest } from './search/glob-pattern.ts'
import { openSearch } from './search/open-search.ts'

const maxPaths = 1_000

/** Finds files by name. */
export const glob = defineTool({
  name: 'Glob',
  aliases: ['find_files'],
  description: promptText('glob', { maxPaths }),
  input: z.strictObject({
    pattern: z.string().min(1).describe('The glob, relative to path. It may not be absolute or contain "..".'),
    path: z.string().min(1).optional().describe('The directory to search below (default: the working directory).'),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  reuse: 'turn',
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
    const closed = closedBelow(context, root)
    const matches = globTest(input.pattern, root)
    const found = paths.filter((path) => matches(path) && !closed.holds(path))
    const notes = [
      ...closed.note(),
      ...(found.length > maxPaths ? [`[the first ${maxPaths} of ${found.length} files; narrow the pattern]`] : []),
      ...(unreadable ? ['[some directories could not be read]'] : []),
    ]
    if (found.length === 0) return answer([`No files match "${input.pattern}" below ${root}.`, ...notes].join('\n'))
    return answer([...found.slice(0, maxPaths), ...notes].join('\n'))
  },
})
