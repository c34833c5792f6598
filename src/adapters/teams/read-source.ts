import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { errorText } from '../../protocol/words/error-text.ts'

export const maxSourceBytes = 1024 * 1024

/** A text file as it was read: `file` is how people named it, `path` is absolute. */
export interface Source {
  readonly file: string
  readonly path: string
  readonly text: string
}

/**
 * Reads a small UTF-8 file, or says why that cannot be done. A byte order mark is dropped.
 *
 * @param file the name that diagnostics use
 * @param path the same file, absolute
 * @returns the source, or one diagnostic at 1:1
 */
export function readSource(file: string, path: string): Source | Diagnostic {
  const complain = (code: string, message: string): Diagnostic => ({
    severity: 'error',
    code,
    message,
    file,
    line: 1,
    column: 1,
  })
  let handle: number | undefined
  try {
    // At once: a promise of it takes longer to set up than so small a file to read.
    // Not waiting for a pipe's writer, and looking at what was opened: nothing can be swapped in between.
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const status = fstatSync(handle)
    if (status.isDirectory()) return complain('is_directory', 'this is a directory, not a file')
    if (!status.isFile()) return complain('not_a_file', 'this is not a regular file')
    if (status.size > maxSourceBytes) {
      return complain('too_large', `the file has ${status.size} bytes; at most ${maxSourceBytes} (1 MiB) are read`)
    }
    return { file, path, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(handle)) }
  } catch (error) {
    return complain(...reasonOf(error))
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** `isSource(readSource(…))` tells the source from the diagnostic. */
export function isSource(read: Source | Diagnostic): read is Source {
  return 'text' in read
}

function reasonOf(error: unknown): [code: string, message: string] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['not_found', 'there is no such file']
  if (code === 'EISDIR') return ['is_directory', 'this is a directory, not a file']
  if (code === 'ENXIO') return ['not_a_file', 'this is not a regular file']
  if (code === 'ELOOP') return ['unreadable', 'its symbolic links lead in a circle']
  if (code === 'EACCES' || code === 'EPERM') return ['unreadable', 'the file may not be read (permission denied)']
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return ['not_utf8', 'the file is not UTF-8 text']
  return ['unreadable', `the file cannot be read: ${errorText(error)}`]
}
