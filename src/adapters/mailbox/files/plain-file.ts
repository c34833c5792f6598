import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { errorCode } from '../../fs/error-code.ts'

/** 256 KiB of body, escaped in the worst case, with its envelope. */
const maxFileBytes = 2 * 1024 * 1024

export type PlainFile = { readonly text: string } | { readonly reason: string }

/** Codes that speak of the file, not of the machine; any other one is thrown. */
const refusals = new Set(['ELOOP', 'ENXIO', 'EACCES', 'EPERM', 'EISDIR', 'EMLINK'])

/**
 * Reads a file that somebody else put there: follows no link, waits on no pipe, takes nothing huge.
 * @returns its text, or the reason why it is not taken
 */
export function readPlainFile(path: string): PlainFile {
  const fd = openPlain(path)
  if (typeof fd === 'string') return { reason: `it cannot be opened (${fd})` }
  try {
    return firstPage(fd) ?? slowly(fd)
  } finally {
    closeSync(fd)
  }
}

/** Most mail fits; read into one place again and again, since what is read becomes a text at once. */
const page = Buffer.alloc(16 * 1024)

/** What stands for bytes that are no UTF-8: where it is found they are looked at. */
const replaced = '\uFFFD'

/** The whole text when it is short, else null; what cannot be read at a position is no plain file and has none. */
function firstPage(fd: number): PlainFile | null {
  try {
    const read = readSync(fd, page, 0, page.length, 0)
    if (read === 0 || read === page.length) return null
    const text = page.toString('utf8', 0, read)
    return text.includes(replaced) ? null : { text }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}

function slowly(fd: number): PlainFile {
  const stat = fstatSync(fd)
  if (!stat.isFile()) return { reason: 'it is not a plain file' }
  if (stat.size > maxFileBytes) return { reason: `it has ${stat.size} bytes` }
  const bytes = readFileSync(fd)
  if (bytes.length === 0) return { reason: 'it is empty' }
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { reason: 'it is not UTF-8' }
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
