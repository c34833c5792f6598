import type { OpenFile } from '../../../protocol/tools/filesystem.ts'

const maxBytes = 64 << 20

/** A whole text with its bytes, or in words why it cannot be had as text. */
export type WholeText = { readonly text: string; readonly bytes: Uint8Array } | { readonly unfit: string }

/**
 * Reads a whole file as UTF-8, byte order mark included, so that writing the text back changes nothing.
 * What is not valid UTF-8 is refused: rewriting it would damage it.
 *
 * @example await readText(opened, '/project/a.txt') // { text: 'hello\n', bytes }
 */
export async function readText(opened: OpenFile, path: string): Promise<WholeText> {
  if (opened.size > maxBytes) return { unfit: `${path} is larger than 64 MiB; change it with Bash.` }
  const bytes = await opened.bytes()
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), bytes }
  } catch {
    return { unfit: `${path} is not valid UTF-8 text; changing it as text would damage it.` }
  }
}
