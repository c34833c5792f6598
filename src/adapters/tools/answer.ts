import type { ToolOutput } from '../../protocol/tool.ts'
import { errorCode } from '../fs/error-code.ts'

/** A result in words: `answer('Created /a.txt')`. */
export function answer(text: string): ToolOutput {
  return { content: [{ type: 'text', text }] }
}

/** A result that tells the model what went wrong and, where there is one, the remedy. */
export function complaint(text: string): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true }
}

/** `plural(1, 'file')` → `1 file`, `plural(1200, 'match', 'matches')` → `1,200 matches`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** What a failed file-system call means, without the call's own jargon: `fileTrouble(error, '/a')`. */
export function fileTrouble(error: unknown, path: string): string {
  const code = errorCode(error)
  if (code === 'ENOENT') return `${path} does not exist.`
  if (code === 'ENOTDIR') return `${path} does not exist: a part of the path is a file, not a directory.`
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be accessed: permission denied by the system.`
  if (code === 'EISDIR') return `${path} is a directory.`
  if (code === 'ELOOP') return `${path} is a circle of symbolic links.`
  if (code === 'ENAMETOOLONG') return `${path.slice(0, 100)}… is too long for a path.`
  return `${path}: ${error instanceof Error ? error.message : String(error)}`
}
