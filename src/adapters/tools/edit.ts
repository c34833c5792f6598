import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { answer, complaint, fileTrouble, plural } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { nearestLine } from './files/nearest-line.ts'
import { replaceText } from './files/replace-text.ts'
import { readText } from './files/text-file.ts'
import { placeOf } from './place-of.ts'

/** Replaces a piece of text in a file. */
export const edit = defineTool({
  name: 'Edit',
  aliases: ['str_replace'],
  description: [
    'Replaces a piece of text in an existing file. old_string must be copied exactly from the file, indentation included,',
    'without the line numbers that Read puts in front. It must occur exactly once: add lines around it until it does,',
    'or set replace_all. When it is not found the result shows the nearest line. To create a file use Write.',
  ].join('\n'),
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
  async run(input, context) {
    const path = placeOf(context, input.file_path)
    const before = await readText(path)
    if ('trouble' in before) return complaint(before.trouble)
    if (before.text === null) return complaint(`${path} does not exist. To create it use Write.`)
    const wish = { old: input.old_string, next: input.new_string, all: input.replace_all ?? false }
    const { text, lines } = replaceText(before.text, wish)
    if (text === null)
      return complaint(lines.length === 0 ? notFound(path, before.text, wish.old) : ambiguous(path, lines))
    try {
      context.signal.throwIfAborted()
      await writeFileAtomic(path, text)
    } catch (error) {
      if (context.signal.aborted) throw error
      return complaint(fileTrouble(error, path))
    }
    return answer(`Edited ${path}: ${plural(lines.length, 'replacement')}, ${at(lines)}.`)
  },
})

function notFound(path: string, file: string, old: string): string {
  const near = nearestLine(file, old)
  if (near === null) return `old_string was not found in ${path}, nor anything like it. Read the file again.`
  const why = near.sameWords ? 'the difference is in the white space or in the lines around it' : 'the nearest line'
  return `old_string was not found in ${path}. Line ${near.number} (${why}):\n${near.text.slice(0, 1_000)}`
}

function ambiguous(path: string, lines: readonly number[]): string {
  return [
    `old_string occurs ${lines.length} times in ${path} (${at(lines)}).`,
    'Add lines around it until it occurs once, or set replace_all.',
  ].join(' ')
}

function at(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > 20 ? ', …' : ''}`
}
