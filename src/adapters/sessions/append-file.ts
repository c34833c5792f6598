import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { syncFolder } from '../fs/sync-folder.ts'

/** A file that only grows. A batch that could not be written whole is taken back, then the error is thrown. */
export interface AppendFile {
  /** True for a file that was empty when it was opened. */
  readonly fresh: boolean
  append(text: string): void
  /** Puts everything appended on the disk; the first time the names of the file and its folders too. */
  sync(): void
  /** Moves everything from `position` on to the first free `<file>.torn-<n>` and returns that name. */
  cut(position: number, tail: Buffer): string
  close(): void
}

/** Opens a file for appending; makes it (0600) and its folder (0700) where they are missing. */
export function openAppendFile(file: string): AppendFile {
  const fd = openOrMake(file)
  let size = fstatSync(fd).size
  let open = true
  let named = false
  return {
    fresh: size === 0,
    append(text) {
      // A closed descriptor's number may belong to another file by now.
      if (!open) throw new Error(`${file} is closed`)
      size += writeWhole(fd, size, text)
    },
    sync() {
      fdatasyncSync(fd)
      if (!named) syncNames(file)
      named = true
    },
    cut(position, tail) {
      const aside = setAside(file, tail)
      ftruncateSync(fd, position)
      size = position
      return aside
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

function openOrMake(file: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  }
}

function writeWhole(fd: number, size: number, text: string): number {
  const length = Buffer.byteLength(text)
  let written = 0
  try {
    written = writeSync(fd, text)
    if (written === length) return length
    const bytes = Buffer.from(text)
    while (written < length) written += writeSync(fd, bytes, written)
    return length
  } catch (error) {
    if (written > 0) ftruncateSync(fd, size)
    throw error
  }
}

/** A file that a power cut must not unname: its own folder and the two that were made for it. */
function syncNames(file: string): void {
  for (const folder of [dirname(file), dirname(dirname(file)), dirname(dirname(dirname(file)))]) syncFolder(folder)
}

function setAside(file: string, tail: Buffer): string {
  for (let n = 1; ; n += 1) {
    const aside = `${file}.torn-${n}`
    try {
      writeFileSync(aside, tail, { flag: 'wx', mode: 0o600 })
      return aside
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}
