import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import type { FileState } from '../../../protocol/facts/change-fact.ts'
import { contentHash } from '../../fs/content-hash.ts'
import { errorCode } from '../../fs/error-code.ts'
import { resolveReal } from '../../fs/resolve-real.ts'

const linkMode = 0o120_000
/** The state of a device, and of whatever lies behind a link that a directory has become: nobody left a file so. */
const noFile: FileState = { sha256: 'no plain file', mode: 0 }

/** The state of a file on the disk; a link is its target, and where a directory is there is no file. @example stateOnDisk('/project/a.txt')?.sha256 */
export function stateOnDisk(path: string): FileState {
  try {
    if (resolveReal(dirname(path)) !== dirname(path)) return noFile
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return { sha256: contentHash(readlinkSync(path)), mode: linkMode }
    if (stats.isDirectory()) return null
    if (!stats.isFile()) return noFile
    return { sha256: contentHash(readFileSync(path)), mode: stats.mode & 0o7777 }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
}

/**
 * Gives a file the state that it had: its content, its mode, or that it was not there. A reader sees the old one or the new
 * one, never a mixture.
 *
 * @param kept the folder of contents by their hash
 * @throws what the disk says
 */
export function restoreFile(path: string, wanted: FileState, kept: string): void {
  if (wanted === null) {
    if (stateOnDisk(path) !== null) rmSync(path)
    return
  }
  const content = readFileSync(join(kept, wanted.sha256))
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.troupe-undo-${pid}.tmp`)
  try {
    if (wanted.mode === linkMode) symlinkSync(content.toString(), temporary)
    else {
      writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
      chmodSync(temporary, wanted.mode)
    }
    if (isDirectory(path)) rmdirSync(path)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
