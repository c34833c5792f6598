import { openRegular } from './open-regular.ts'

/**
 * A whole text, null when there is no such file, or in words why it cannot be had. `replaceable` says that it is a
 * regular file all the same, whose content may be replaced as a whole.
 */
export type WholeText = { readonly text: string | null } | { readonly trouble: string; readonly replaceable: boolean }

const maxBytes = 64 << 20

/**
 * Reads a whole file as UTF-8, byte order mark included, so that writing the text back changes nothing.
 * What is not valid UTF-8 is refused: rewriting it would damage it.
 *
 * @example await readText('/project/a.txt') // { text: 'hello\n' }
 */
export async function readText(path: string): Promise<WholeText> {
  const opened = await openRegular(path)
  if ('trouble' in opened) return opened.absent ? { text: null } : { trouble: opened.trouble, replaceable: false }
  try {
    if (opened.size > maxBytes) return unfit(`${path} is larger than 64 MiB; change it with Bash.`)
    const bytes = await opened.handle.readFile()
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return unfit(`${path} is not valid UTF-8 text; changing it as text would damage it.`)
  } finally {
    await opened.handle.close()
  }
}

function unfit(trouble: string): WholeText {
  return { trouble, replaceable: true }
}
