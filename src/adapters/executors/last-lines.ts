import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const tail = 4_096
const lines = 20

/** The end of what a log file got since it had `from` bytes; empty when there is none. */
export function lastLinesOf(file: string, from: number): string {
  try {
    const fd = openSync(file, 'r')
    try {
      return lastLinesIn(fd, from)
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

/** The same of a file that is open for reading; its name may be gone. */
export function lastLinesIn(fd: number, from: number): string {
  const { size } = fstatSync(fd)
  const bytes = Buffer.alloc(Math.min(Math.max(size - from, 0), tail))
  readSync(fd, bytes, 0, bytes.length, size - bytes.length)
  return lastOf(bytes.toString('utf8'))
}

/** The last lines of a text that are not empty. */
export function lastOf(text: string): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n').trim()
}
