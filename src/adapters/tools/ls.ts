import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../fs/error-code.ts'
import { answer, complaint, fileTrouble, plural } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { placeOf } from './place-of.ts'

const maxEntries = 1_000

/** Lists one directory. */
export const ls = defineTool({
  name: 'LS',
  aliases: ['list_directory'],
  description: [
    'Lists what is in one directory, hidden entries included, sorted by name. Directories end in "/", links show their target.',
    'It does not descend; to find files by name anywhere below a directory use Glob.',
  ].join('\n'),
  input: z.strictObject({
    path: z.string().min(1).describe('The directory. A relative path starts at the working directory.'),
  }),
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interrupt: 'cancel',
  async run(input, context) {
    const path = placeOf(context, input.path)
    let entries: readonly Dirent[]
    try {
      entries = await readdir(path, { withFileTypes: true })
    } catch (error) {
      return complaint(errorCode(error) === 'ENOTDIR' ? `${path} is not a directory.` : fileTrouble(error, path))
    }
    if (entries.length === 0) return answer(`${path} is empty.`)
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxEntries)
    const lines = await Promise.all(sorted.map((entry) => shown(path, entry)))
    const rest = entries.length - sorted.length
    const footer = rest > 0 ? [`[${plural(rest, 'more entry', 'more entries')} not shown]`] : []
    return answer([`${path}:`, ...lines, ...footer].join('\n'))
  },
})

async function shown(directory: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${printable(entry.name)}/`
  if (!entry.isSymbolicLink()) return printable(entry.name)
  const target = await readlink(join(directory, entry.name)).catch(() => '?')
  return `${printable(entry.name)} -> ${printable(target)}`
}

/** A name with control characters is quoted, so that one entry is always one line. */
function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
}
