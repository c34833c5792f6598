import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { join } from 'node:path'
import type { ListedEntry } from '../../../protocol/tools/filesystem.ts'
import { z } from 'zod'
import { answer, complaint, plural } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { closedBelow } from './closed-below.ts'

const maxEntries = 1_000

/** Lists one directory. */
export const ls = defineTool({
  name: 'LS',
  aliases: ['list_directory'],
  description: promptText('ls'),
  input: z.strictObject({
    path: z.string().min(1).describe('The directory. A relative path starts at the working directory.'),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  reuse: 'turn',
  interrupt: 'cancel',
  async run(input, context) {
    const path = resolveFrom(context.cwd, context.home, input.path)
    const listing = await context.files.list(path, context.led?.get(path))
    if ('trouble' in listing) return complaint(listing.trouble)
    const closed = closedBelow(context, path)
    const entries = listing.entries.filter(({ name }) => !closed.holds(join(path, name)))
    if (entries.length === 0) return answer([`${path} is empty.`, ...closed.note()].join('\n'))
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxEntries)
    const rest = entries.length - sorted.length
    const footer = rest > 0 ? [`[${plural(rest, 'more entry', 'more entries')} not shown]`] : []
    return answer([`${path}:`, ...sorted.map(shown), ...footer, ...closed.note()].join('\n'))
  },
})

function shown({ name, kind, target }: ListedEntry): string {
  if (kind === 'directory') return `${printable(name)}/`
  return kind === 'link' ? `${printable(name)} -> ${printable(target ?? '?')}` : printable(name)
}

/** A name with control characters is quoted, so that one entry is always one line. */
function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
}
