import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { fileTrouble } from '../../fs/file-trouble.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { closedBelow } from './closed-below.ts'
import { globComplaint, globTest } from './glob-pattern.ts'
import { openSearch, searchedElsewhere } from './open-search.ts'
import { pageOfLines } from './page.ts'

const defaultLimit = 1_000
const maxLimit = 5_000

/** Finds files by name. */
export const glob = defineTool({
  name: 'Glob',
  aliases: ['find_files'],
  description: promptText('glob', { defaultLimit }),
  input: z.strictObject({
    pattern: z.string().min(1).describe('The glob, relative to path. It may not be absolute or contain "..".'),
    path: z.string().min(1).optional().describe('The directory to search below (default: the working directory).'),
    head_limit: z.number().int().min(1).max(maxLimit).optional().describe(`Paths to show (default ${defaultLimit}).`),
    offset: z.number().int().min(0).optional().describe('Paths to skip, for the next page (default 0).'),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  reuse: 'turn',
  interrupt: 'cancel',
  maxResultChars: 100_000,
  check: async (input) => globComplaint(input.pattern),
  async run(input, context) {
    if (context.files.elsewhere) return complaint(searchedElsewhere)
    const root = resolveFrom(context.cwd, context.home, input.path ?? '.')
    try {
      if (!(await stat(root)).isDirectory()) return complaint(`${root} is not a directory.`)
    } catch (error) {
      return complaint(fileTrouble(error, root))
    }
    const search = await openSearch(context)
    const { paths, unreadable } = await search.files(root, context.signal)
    const closed = closedBelow(context, root)
    const matches = globTest(input.pattern, root)
    const found = paths.filter((path) => matches(path) && !closed.holds(path))
    const notes = [...closed.note(), ...(unreadable ? ['[some directories could not be read]'] : [])]
    if (found.length === 0) return answer([`No files match "${input.pattern}" below ${root}.`, ...notes].join('\n'))
    const page = { offset: input.offset ?? 0, limit: input.head_limit ?? defaultLimit }
    return answer([pageOfLines(found, page), ...notes].join('\n'))
  },
})
