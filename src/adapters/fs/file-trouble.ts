import { errorText } from '../../protocol/words/error-text.ts'
import type { FileTrouble } from '../../protocol/tools/filesystem.ts'
import { errorCode } from './error-code.ts'

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist.',
  ENOTDIR: 'does not exist: a part of the path is a file, not a directory.',
  EACCES: 'may not be accessed: permission denied by the system.',
  EPERM: 'may not be accessed: permission denied by the system.',
  EISDIR: 'is a directory.',
  ELOOP: 'is a circle of symbolic links.',
  ENXIO: 'is not a regular file.',
  ENOSPC: 'cannot be written: the disk is full.',
  EDQUOT: 'cannot be written: the disk quota is used up.',
  EROFS: 'cannot be written: the file system is read-only.',
}

/** The meaning of a failed file-system call, without the call's own jargon: `fileTrouble(error, '/a')`. */
export function fileTrouble(error: unknown, path: string): string {
  const code = errorCode(error) ?? ''
  if (code === 'ENAMETOOLONG') return `${path.slice(0, 100)}… is too long for a path.`
  if (Object.hasOwn(words, code)) return `${path} ${words[code]}`
  return `${path}: ${errorText(error)}`
}

/** The same as a value that travels. */
export function troubleOf(error: unknown, path: string): FileTrouble {
  return { trouble: fileTrouble(error, path), why: errorCode(error) === 'ENOENT' ? 'absent' : 'other' }
}

/** The path led elsewhere when permission was given. */
export function movedPath(path: string, led: string, real: string): FileTrouble {
  const trouble = `${path} led to ${led} when it was permitted and leads to ${real} now: it was not touched.`
  return { trouble, why: 'moved' }
}
