import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { FilePlace } from '../state/file-place.ts'

/** Opens a file at a line in the person's editor; resolves when the editor is left. */
export type Edit = (place: { readonly file: string; readonly line: number }) => Promise<void>

const largest = 4 * 1024 * 1024

/**
 * Opens a file of the run in the person's editor.
 * @returns what hindered it, in words; null when it was open
 */
export async function openInEditor(
  { file, line, at }: FilePlace,
  { cwd, edit }: { readonly cwd: string; readonly edit: Edit },
): Promise<string | null> {
  const path = resolve(cwd, file)
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status?.isFile()) return `${path} is no file here`
  const text = at.length === 0 || status.size > largest ? '' : readFileSync(path, 'utf8')
  const index = at.map((each) => text.indexOf(each)).find((each) => each >= 0)
  const found = index === undefined ? line : text.slice(0, index).split('\n').length
  return edit({ file: path, line: found }).then(
    () => null,
    (error: unknown) => `not opened: ${errorText(error)}`,
  )
}

/** A text as the person's editor left it. @throws what the editor or the disk says */
export async function editedText(text: string, { name, edit }: { name: string; edit: Edit }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    await edit({ file, line: 1 })
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The text of a block, with the whole of an output that was put aside instead of its beginning. */
export function wholeOutput(dir: string, text: string): string {
  const [, sha256] = /artifacts\/([0-9a-f]{64})\b/.exec(text) ?? []
  if (sha256 === undefined) return text
  try {
    return `${text}\n\n── the whole output ──\n${readFileSync(join(dir, 'artifacts', sha256), 'utf8')}`
  } catch (error) {
    return `${text}\n\n[the whole output cannot be read: ${errorText(error)}]`
  }
}

/** More than this terminals drop without a word. */
const mostCopied = 74_000

/** Puts a text into the clipboard of the terminal. @returns the outcome in words */
export function copied(text: string, copy: (text: string) => void): string {
  if (Buffer.byteLength(text) > mostCopied)
    return 'not copied: it is too long for the clipboard of a terminal · v shows it'
  copy(text)
  return `copied: ${text.length} characters`
}
