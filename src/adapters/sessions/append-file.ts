import {
  closeSync,
  copyFileSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { syncFolder, syncOpenFile } from '../fs/sync.ts'
import { unfinishedPrefix } from './write-json.ts'

/** A file that only grows. A batch that could not be written whole is taken back, then the error is thrown. */
export interface AppendFile {
  size(): number
  append(text: string): void
  /** Puts everything appended on the disk; the first time the names of the file and its folders too. */
  sync(): void
  close(): void
}

/** Opens a file for appending; makes it (0600) and its folder (0700) where they are missing. */
export function openAppendFile(file: string): AppendFile {
  return appendFile(file, openOrMake(file))
}

/**
 * Makes a file with its first text. The file appears with the whole text or not at all.
 * @throws `EEXIST` when the file is there; what the disk says
 */
export function makeAppendFile(file: string, text: string): AppendFile {
  return beside(file, (unfinished) => {
    writeFileSync(unfinished, text, { mode: 0o600 })
    linkSync(unfinished, file)
    rmSync(unfinished)
    return openAppendFile(file)
  })
}

/**
 * Puts a copy in the place of a file and opens that. Whoever has the file open still writes to the one that was replaced,
 * which nobody reads any more.
 * @param whole bytes to copy
 * @param tail what stands behind them, which goes to the first free `<file>.torn-<n>`
 * @returns the copy, and the name of the place of the tail
 */
export function takeOverFile(file: string, whole: number, tail: Buffer): { lines: AppendFile; aside: string | null } {
  const aside = tail.length > 0 ? setAside(file, tail) : null
  const lines = beside(file, (unfinished) => {
    copyFileSync(file, unfinished)
    truncateSync(unfinished, whole)
    const fd = openSync(unfinished, 'a', 0o600)
    // A power cut must not find the name of the whole journal on a copy that is not there yet.
    fdatasyncSync(fd)
    renameSync(unfinished, file)
    return appendFile(file, fd)
  })
  return { lines, aside }
}

function appendFile(file: string, fd: number): AppendFile {
  let size = fstatSync(fd).size
  let open = true
  let named = false
  return {
    size: () => size,
    append(text) {
      // A closed descriptor's number may belong to another file by now.
      if (!open) throw new Error(`${file} is closed`)
      size += writeWhole(fd, size, text)
    },
    sync() {
      syncOpenFile(fd, file)
      if (!named) syncNames(file)
      named = true
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

function beside<Result>(file: string, act: (unfinished: string) => Result): Result {
  const unfinished = join(dirname(file), `${unfinishedPrefix}${process.pid}-${basename(file)}`)
  try {
    return act(unfinished)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
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
