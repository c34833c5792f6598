import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { z } from 'zod'
import { answer, complaint, plural } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { currentFile, putFile } from './change-file.ts'
import { atLines, editText } from './edit-text.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Replaces a piece of text in a file. */
export const edit = defineTool({
  name: 'Edit',
  aliases: ['str_replace'],
  description: promptText('edit'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
    old_string: z.string().min(1).describe('The exact text to replace.'),
    new_string: z.string().describe('The text to put in its place; empty deletes it.'),
    replace_all: z.boolean().optional().describe('Replace every occurrence (default false).'),
  }),
  effect: 'edit',
  check: async (input) =>
    input.old_string === input.new_string
      ? 'old_string and new_string are the same: there is nothing to change.'
      : null,
  async run({ file_path, ...wish }, context) {
    const path = resolveFrom(context.cwd, context.home, file_path)
    const before = await currentFile(context, path)
    if ('trouble' in before) return complaint(before.trouble)
    if (before.text === null) return complaint(before.unfit ?? `${path} does not exist. To create it use Write.`)
    const edited = editText(before.text, wish, path)
    if ('trouble' in edited) return complaint(edited.trouble)
    context.signal.throwIfAborted()
    const put = await putFile(context, before, edited.text)
    if ('trouble' in put) return complaint(put.trouble)
    return {
      ...answer(`Edited ${path}: ${plural(edited.lines.length, 'replacement')}, ${atLines(edited.lines)}.`),
      file: put,
    }
  },
})
