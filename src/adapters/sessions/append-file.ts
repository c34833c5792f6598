import { closeSync, fdatasyncSync, ftruncateSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { syncFolder } from '../fs/sync-folder.ts'
import { unfinishedPrefix } from './write-json.ts'

/** A file that only grows. A batch that could not be written whole is taken back, then the error is thrown. */
export interface AppendFile {
  /** Bytes written so far. */
  size(): number
  append(text: string): void
  /** Puts everything appended on the disk; the first time the names of the file and its folders too. */
  sync(): void
  close(): void
}

/**
 * Makes a file (0600) with its first text, and its folder (0700) where that is missing. The file appears with the whole
 * text or not at all.
 * @throws `EEXIST` when the file is there: somebody else writes it; what the disk says
 */
export function makeAppendFile(file: string, text: string): AppendFile {
  const unfinished = join(dirname(file), `${unfinishedPrefix}${process.pid}-${basename(file)}`)
  const fd = make(unfinished)
  let size = 0
  try {
    // A process with the same number may have left a part of one.
    ftruncateSync(fd)
    size = writeWhole(fd, 0, text)
    linkSync(unfinished, file)
  } catch (error) {
    closeSync(fd)
    throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  let open = true
  let named = false
  return {
    size: () => size,
    append(text) {
      size += writeWhole(fd, size, text)
    },
    sync() {
      fdatasyncSync(fd)
      if (!named) syncNames(file)
      named = true
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

function make(file: string): number {
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
