import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileListing, FileTrouble, Filesystem, ListedEntry } from '../../protocol/tools/filesystem.ts'
import { errorCode } from './error-code.ts'
import { movedPath, troubleOf } from './file-trouble.ts'
import { openDirectory } from './open-directory.ts'
import { openFile } from './open-file.ts'
import { replaceContent } from './replace-content.ts'
import { resolveReal } from './resolve-real.ts'

/** The files of this machine. */
export const localFiles: Filesystem = { open: openFile, replace: replaceContent, list }

async function list(path: string, led?: string): Promise<FileListing | FileTrouble> {
  try {
    const real = resolveReal(path)
    if (led !== undefined && led !== real) return movedPath(path, led, real)
    const directory = await openDirectory(real)
    if ('trouble' in directory) return directory
    try {
      const entries = await readdir(directory.base, { withFileTypes: true })
      return { entries: await Promise.all(entries.map((entry) => listed(directory.base, entry))) }
    } finally {
      await directory.handle.close()
    }
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return { trouble: `${path} is not a directory.`, why: 'other' }
    return troubleOf(error, path)
  }
}

async function listed(base: string, entry: Dirent): Promise<ListedEntry> {
  const { name } = entry
  if (entry.isSymbolicLink()) {
    return { name, kind: 'link', target: await readlink(join(base, name)).catch(() => '?') }
  }
  if (entry.isDirectory()) return { name, kind: 'directory' }
  return { name, kind: entry.isFile() ? 'file' : 'other' }
}
