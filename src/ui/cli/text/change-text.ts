import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The change of a file that a call would make. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

const largest = 512 * 1024

/**
 * The change that an editing call would make, as a unified diff against the file as it is now, or null when the call
 * changes no file or the change cannot be shown. Nothing is written.
 *
 * @param cwd Where the member works.
 * @example await changeText('Write', { file_path: 'a.txt', content: 'new' }, '/home/ann/shop')
 */
export async function changeText(tool: string, input: unknown, cwd: string): Promise<string | null> {
  const change = changeOf(tool, input, cwd)
  if (change === null) return null
  // Loaded when somebody is asked about an edit.
  const { createTwoFilesPatch } = await import('diff')
  const { file, before, after } = change
  const patch = createTwoFilesPatch(file, file, before, after, '', '', { context: 3 })
  return patch.slice(patch.indexOf('---')).trimEnd()
}

function changeOf(tool: string, input: unknown, cwd: string): Change | null {
  if (typeof input !== 'object' || input === null) return null
  const fields = input as Record<string, unknown>
  const { file_path: path, content } = fields
  if (typeof path !== 'string') return null
  const before = textOf(resolve(cwd, path))
  if (before === null) return null
  if (tool === 'Write') return typeof content === 'string' ? { file: path, before, after: content } : null
  if (tool !== 'Edit' && tool !== 'MultiEdit') return null
  const after = edited(before, tool === 'Edit' ? [fields] : fields['edits'])
  return after === null ? null : { file: path, before, after }
}

/** An edit that does not fit fails when it runs; there is no change to show then. */
function edited(text: string, edits: unknown): string | null {
  if (!Array.isArray(edits)) return null
  let after = text
  for (const edit of edits as readonly unknown[]) {
    const { old_string: old, new_string: fresh, replace_all: all } = (edit ?? {}) as Record<string, unknown>
    if (typeof old !== 'string' || typeof fresh !== 'string' || old === '' || !after.includes(old)) return null
    after = all === true ? after.replaceAll(old, () => fresh) : after.replace(old, () => fresh)
  }
  return after
}

/** Empty for a file that is not there yet; null for one that is no text of a size that people read. */
function textOf(file: string): string | null {
  if (!existsSync(file)) return ''
  const status = statSync(file)
  if (!status.isFile() || status.size > largest) return null
  const text = readFileSync(file, 'utf8')
  return text.includes('\0') ? null : text
}
