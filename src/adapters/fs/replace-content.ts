import { constants } from 'node:fs'
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pid } from 'node:process'
import type { FileChange, FileReplaced, FileTrouble } from '../../protocol/tools/filesystem.ts'
import { contentHash, hashOfRest } from './content-hash.ts'
import { errorCode } from './error-code.ts'
import { troubleOf } from './file-trouble.ts'
import { openDirectory } from './open-directory.ts'
import { withPathLock } from './path-lock.ts'
import { resolveReal } from './resolve-real.ts'

/*
 * Replaces a file's content in one step.
 * Owns: the temporary file beside it. Never: follows a link after the permission was given, leaves half a file.
 * 1. The directory is opened once and verified; everything below goes through its handle, not through its name.
 * 2. The content that is replaced is the one the caller saw, or nothing is replaced.
 * 3. The new content is on the disk before it gets its name. Mode and, where the system lets us, owner stay.
 */

let writes = 0
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** `await replaceContent('/project/a.txt', { content: 'new', before: hash })`. */
export async function replaceContent(path: string, change: FileChange): Promise<FileReplaced | FileTrouble> {
  try {
    const real = change.led ?? resolveReal(path)
    return await withPathLock(real, () => replaceReal(real, change, path))
  } catch (error) {
    return troubleOf(error, path)
  }
}

async function replaceReal(real: string, change: FileChange, path: string): Promise<FileReplaced | FileTrouble> {
  const directory = await openDirectory(dirname(real), true)
  if ('trouble' in directory) return directory
  const target = join(directory.base, basename(real))
  writes += 1
  const temporary = join(directory.base, `.${basename(real).slice(0, 100)}.${pid}-${writes}.tmp`)
  try {
    const old = await looked(target)
    if ((old?.hash ?? null) !== change.before) return changed(path)
    await writeNew(temporary, change.content, old)
    if (change.before !== null) await rename(temporary, target)
    // A link is made only where nothing is: whoever created the file meanwhile keeps it.
    else if (!(await linked(temporary, target))) return changed(path)
    return { real, hash: contentHash(change.content) }
  } finally {
    await rm(temporary, { force: true })
    await directory.handle.close()
  }
}

interface Old {
  readonly hash: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

async function looked(target: string): Promise<Old | null> {
  let handle: FileHandle
  try {
    handle = await open(target, readFlags)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'ENXIO' })
    const read = async (buffer: Uint8Array): Promise<number> => (await handle.read(buffer)).bytesRead
    return { hash: await hashOfRest({ read }), mode: stat.mode, uid: stat.uid, gid: stat.gid }
  } finally {
    await handle.close()
  }
}

async function writeNew(temporary: string, content: FileChange['content'], old: Old | null): Promise<void> {
  const handle = await open(temporary, createFlags, 0o666)
  try {
    await handle.writeFile(content)
    if (old !== null) {
      // Another owner stays the owner where the system lets us; the mode comes last, since chown clears bits of it.
      await handle.chown(old.uid, old.gid).catch(() => undefined)
      await handle.chmod(old.mode & 0o7777)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function linked(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'ENOTSUP') throw error
    // A file system without hard links.
    await rename(temporary, target)
    return true
  }
}

function changed(path: string): FileTrouble {
  return { trouble: `${path} was changed at the same moment. Read it again.`, why: 'changed' }
}
