import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { errorCode } from './error-code.ts'

/** The size of the largest body, with every character escaped, and its envelope. */
const maxFileBytes = 2 * 1024 * 1024

export type PlainFile = { readonly text: string } | { readonly reason: string }

/** Error codes of a file that is no mail; any other code is the machine's and is thrown. */
const refusals = new Set(['ELOOP', 'ENXIO', 'EACCES', 'EPERM', 'EISDIR', 'EMLINK'])

/**
 * Reads a file that another process wrote: follows no link, waits on no pipe, refuses what is too large.
 * @returns its text, or the reason of the refusal
 */
export function readPlainFile(path: string): PlainFile {
  const fd = openPlain(path)
  if (typeof fd === 'string') return { reason: `it cannot be opened (${fd})` }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { reason: 'it is not a plain file' }
    if (stat.size > maxFileBytes) return { reason: `it has ${stat.size} bytes` }
    const bytes = readFileSync(fd)
    if (bytes.length === 0) return { reason: 'it is empty' }
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { reason: 'it is not UTF-8' }
  } finally {
    closeSync(fd)
  }
}

function openPlain(path: string): number | string {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (!refusals.has(code)) throw error
    return code
  }
}
