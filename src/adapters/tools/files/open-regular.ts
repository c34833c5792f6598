import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../../fs/error-code.ts'
import { fileTrouble } from '../answer.ts'

/** An open file, or in words why there is none. The caller closes the handle. */
export type Opened =
  | { readonly handle: FileHandle; readonly size: number }
  | { readonly trouble: string; readonly absent: boolean }

/**
 * Opens a regular file for reading. Directories, pipes, sockets and devices are refused without ever waiting on them:
 * what was opened is what is looked at, so nothing can be swapped in between.
 *
 * @example const opened = await openRegular('/project/a.txt')
 */
export async function openRegular(path: string): Promise<Opened> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return { trouble: fileTrouble(error, path), absent: errorCode(error) === 'ENOENT' }
  }
  const stat = await handle.stat()
  if (stat.isFile()) return { handle, size: stat.size }
  await handle.close()
  const trouble = stat.isDirectory() ? `${path} is a directory; use LS.` : `${path} is not a regular file.`
  return { trouble, absent: false }
}
