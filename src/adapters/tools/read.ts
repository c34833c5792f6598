import { z } from 'zod'
import { answer, complaint } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { openRegular } from './files/open-regular.ts'
import { readWindow, type FileWindow } from './files/read-window.ts'
import { placeOf } from './place-of.ts'

const defaultLimit = 2_000
const bounds = { maxChars: 60_000, maxLine: 2_000 }

/** Shows a file's lines with their numbers, a page at a time. */
export const read = defineTool({
  name: 'Read',
  aliases: ['read_file'],
  description: [
    'Reads a text file. Each line comes with its number and a tab in front; these are not part of the file.',
    `Shows up to ${defaultLimit.toLocaleString('en-US')} lines from the beginning; the last line of the result says how to go on when there is more.`,
    'Very long lines are cut. Binary files are only named with their size. To see a directory use LS, to search use Grep.',
    'Reads of several files can be asked for at once.',
  ].join('\n'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
    offset: z.number().int().min(1).optional().describe('Number of the first line to show, from 1.'),
    limit: z.number().int().min(1).max(10_000).optional().describe(`How many lines to show (default ${defaultLimit}).`),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interrupt: 'cancel',
  maxResultChars: Infinity,
  async run(input, context) {
    const path = placeOf(context, input.file_path)
    const opened = await openRegular(path)
    if ('trouble' in opened) return complaint(opened.trouble)
    try {
      const limits = { ...bounds, offset: input.offset ?? 1, limit: input.limit ?? defaultLimit }
      const window = await readWindow(opened.handle, limits, context.signal)
      if (window.binary) return answer(`[binary file, ${opened.size.toLocaleString('en-US')} bytes: ${path}]`)
      if (window.total === 0) return answer(`[empty file: ${path}]`)
      if (window.lines.length === 0) {
        return complaint(`offset ${window.first} is past the end: ${path} has ${window.total} lines.`)
      }
      return answer(numbered(window))
    } finally {
      await opened.handle.close()
    }
  },
})

function numbered(window: FileWindow): string {
  const shown = window.lines.map((line, index) => `${String(window.first + index).padStart(6)}\t${line}`)
  const last = window.first + window.lines.length - 1
  if (window.total !== null && last >= window.total) {
    return window.first === 1 ? shown.join('\n') : [...shown, `[lines ${window.first}-${last}, end of file]`].join('\n')
  }
  const total = window.total === null ? 'very many' : window.total.toLocaleString('en-US')
  return [...shown, `[lines ${window.first}-${last} of ${total}; go on with offset=${last + 1}]`].join('\n')
}
