import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileTrouble } from '../../protocol/tools/filesystem.ts'
import { errorCode } from './error-code.ts'
import { movedPath } from './file-trouble.ts'
import { handlePath, throughHandle } from './open-file.ts'

const flags = constants.O_RDONLY | constants.O_DIRECTORY

/** An open directory: `base` leads into it whatever happens to its name. The caller closes the handle. */
export interface OpenDirectory {
  readonly handle: FileHandle
  readonly base: string
}

/**
 * Opens a directory and makes sure that it is the wanted one; with `create`, what is missing of it is made below the
 * part that exists, one step at a time, following no link on the way.
 *
 * @param real Where it must lie, without links.
 * @throws The error of the file system.
 */
export async function openDirectory(real: string, create = false): Promise<OpenDirectory | FileTrouble> {
  try {
    return await verified(await open(real, flags), real)
  } catch (error) {
    if (!create || errorCode(error) !== 'ENOENT' || dirname(real) === real) throw error
  }
  const parent = await openDirectory(dirname(real), true)
  if ('trouble' in parent) return parent
  try {
    const child = join(parent.base, basename(real))
    await mkdir(child).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    return await verified(await open(child, flags | constants.O_NOFOLLOW), real)
  } finally {
    await parent.handle.close()
  }
}

async function verified(handle: FileHandle, wanted: string): Promise<OpenDirectory | FileTrouble> {
  const real = await handlePath(handle, wanted)
  if (real === wanted) return { handle, base: throughHandle(handle) ?? wanted }
  await handle.close()
  return movedPath(wanted, wanted, real ?? 'nothing')
}
