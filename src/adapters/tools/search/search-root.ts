import { stat } from 'node:fs/promises'
import { fileTrouble } from '../../fs/file-trouble.ts'
import { openFile } from '../../fs/open-file.ts'

/** The kind of place where a search is to begin, or the reason why it cannot begin there. */
export type SearchRoot = { readonly kind: 'directory' | 'file' | 'binary' } | { readonly trouble: string }

const sniffedBytes = 64 << 10

/** Looks at the place before any backend does, so that all of them mean the same by it. */
export async function searchRoot(path: string): Promise<SearchRoot> {
  try {
    if ((await stat(path)).isDirectory()) return { kind: 'directory' }
  } catch (error) {
    return { trouble: fileTrouble(error, path) }
  }
  const opened = await openFile(path)
  if ('trouble' in opened) return opened
  try {
    const start = Buffer.alloc(sniffedBytes)
    return { kind: start.subarray(0, await opened.read(start)).includes(0) ? 'binary' : 'file' }
  } finally {
    await opened.close()
  }
}
