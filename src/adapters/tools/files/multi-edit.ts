import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { z } from 'zod'
import { answer, complaint, plural } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { currentFile, putFile } from './change-file.ts'
import { atLines, editText, type EditWish } from './edit-text.ts'
import { promptText } from '../prompts/prompt-text.ts'

const wish = z.strictObject({
  old_string: z.string().min(1).describe('The exact text to replace.'),
  new_string: z.string().describe('The text to put in its place; empty deletes it.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence (default false).'),
})

/** Makes several edits in one file, all of them or none. */
export const multiEdit = defineTool({
  name: 'MultiEdit',
  aliases: ['multi_edit'],
  description: promptText('multi-edit'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
    edits: z
      .array(wish)
      .min(1)
      .max(200)
      .describe('The edits, in order; each sees the text as the ones before left it.'),
  }),
  effect: 'edit',
  async run({ file_path, edits }, context) {
    const path = resolveFrom(context.cwd, context.home, file_path)
    const before = await currentFile(context, path)
    if ('trouble' in before) return complaint(before.trouble)
    if (before.text === null) return complaint(before.unfit ?? `${path} does not exist. To create it use Write.`)
    const edited = editAll(before.text, edits, path)
    if ('trouble' in edited) return complaint(edited.trouble)
    if (edited.text === before.text) return complaint(`The edits undo each other: ${path} stays as it is.`)
    context.signal.throwIfAborted()
    const put = await putFile(context, before, edited.text)
    if ('trouble' in put) return complaint(put.trouble)
    return { ...answer([`Edited ${path}: ${plural(edits.length, 'edit')}.`, ...edited.report].join('\n')), file: put }
  },
})

type EditedAll = { readonly text: string; readonly report: readonly string[] } | { readonly trouble: string }

/** Every edit is tried, also behind one that fails, so that the model hears of all mistakes at once. */
function editAll(file: string, edits: readonly EditWish[], path: string): EditedAll {
  const report: string[] = []
  const failed: number[] = []
  let text = file
  for (const [index, each] of edits.entries()) {
    const edited = editText(text, each, path)
    if ('trouble' in edited) {
      failed.push(index + 1)
      report.push(`${index + 1}: ${edited.trouble}`)
      continue
    }
    text = edited.text
    report.push(`${index + 1}: ${plural(edited.lines.length, 'replacement')}, ${atLines(edited.lines)}`)
  }
  if (failed.length === 0) return { text, report }
  const which = `${failed.length === 1 ? 'Edit' : 'Edits'} ${failed.join(', ')} of ${edits.length} cannot be made`
  return { trouble: [`${which}, so none was made:`, ...report].join('\n') }
}
