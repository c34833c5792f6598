import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { answer, complaint, fileTrouble, plural } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { readText } from './files/text-file.ts'
import { placeOf } from './place-of.ts'

/** Creates a file or replaces its whole content. */
export const write = defineTool({
  name: 'Write',
  aliases: ['write_file'],
  description: [
    'Writes a whole file: creates it, with its directories, or replaces everything in it.',
    'The result says which: created, updated, or no change. To change a part of a file use Edit.',
    'Read a file before you replace it.',
  ].join('\n'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
    content: z.string().describe('The complete new content.'),
  }),
  effect: 'edit',
  async run(input, context) {
    const path = placeOf(context, input.file_path)
    const before = await readText(path)
    // Text that cannot be read as UTF-8 may still be replaced as a whole; a directory or a device may not.
    if ('trouble' in before && !before.replaceable) return complaint(before.trouble)
    const old = 'trouble' in before ? undefined : before.text
    if (old === input.content) return answer(`No change: ${path} already has this content.`)
    try {
      await mkdir(dirname(path), { recursive: true })
      context.signal.throwIfAborted()
      await writeFileAtomic(path, input.content)
    } catch (error) {
      if (context.signal.aborted) throw error
      return complaint(fileTrouble(error, path))
    }
    return answer(`${old === null ? 'Created' : 'Updated'} ${path} (${plural(lineCount(input.content), 'line')}).`)
  },
})

function lineCount(text: string): number {
  const ends = text.split('\n').length
  return text === '' || text.endsWith('\n') ? ends - 1 : ends
}
