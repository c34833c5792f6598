import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { errorCode } from '../fs/error-code.ts'

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
    return textOf(firstPage(fd)) ?? slowly(fd)
  } finally {
    closeSync(fd)
  }
}

/** Most mail fits; read into one place again and again, since what is read becomes a text at once. */
const page = Buffer.alloc(16 * 1024)

/** The whole content when it is short, else null; what cannot be read at a position is no plain file and has none. */
function firstPage(fd: number): Buffer | null {
  try {
    const read = readSync(fd, page, 0, page.length, 0)
    return read > 0 && read < page.length ? page.subarray(0, read) : null
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
  return textOf(bytes) ?? { reason: 'it is not UTF-8' }
}

function textOf(bytes: Buffer | null): { readonly text: string } | null {
  return bytes && isUtf8(bytes) ? { text: bytes.toString('utf8') } : null
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
