import { join } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { peekPriority } from '../files/read-mail.ts'
import type { Ring } from './doorbell.ts'

/** Files whose priority is looked up for one ring; a backlog beyond that rings as normal mail. */
const peeked = 256

/**
 * Lists one `new/` again and again.
 * @returns a look at the folder: the ring for the files that the look before did not find, or null
 */
export function freshMail(folder: string): () => Ring | null {
  let known: ReadonlySet<string> = new Set()
  return () => {
    const files = namesIn(folder)
    const fresh = files.filter((file) => !known.has(file))
    known = new Set(files)
    if (fresh.length === 0) return null
    const isUrgent = fresh.slice(0, peeked).some((file) => interrupts(join(folder, file)))
    return { priority: isUrgent ? 'interrupt' : 'normal' }
  }
}

/** Whether a file says that it interrupts; a file that was claimed meanwhile says nothing. */
function interrupts(path: string): boolean {
  try {
    return peekPriority(path) === 'interrupt'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
