import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { z } from 'zod'
import { answer, complaint, plural } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { currentFile, putFile } from './change-file.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Creates a file or replaces its whole content. */
export const write = defineTool({
  name: 'Write',
  aliases: ['write_file'],
  description: promptText('write'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
    content: z.string().describe('The complete new content.'),
  }),
  effect: 'edit',
  async run(input, context) {
    const path = resolveFrom(context.cwd, context.home, input.file_path)
    const before = await currentFile(context, path)
    if ('trouble' in before) return complaint(before.trouble)
    if (before.text === input.content) return answer(`No change: ${path} already has this content.`)
    context.signal.throwIfAborted()
    const put = await putFile(context, before, input.content)
    if ('trouble' in put) return complaint(put.trouble)
    const done = before.hash === null ? 'Created' : 'Updated'
    return { ...answer(`${done} ${path} (${plural(lineCount(input.content), 'line')}).`), file: put }
  },
})

function lineCount(text: string): number {
  const ends = text.split('\n').length
  return text === '' || text.endsWith('\n') ? ends - 1 : ends
}
