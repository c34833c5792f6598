import { errorCode } from '../../fs/error-code.ts'
import type { ReadFile } from './judge-batch.ts'
import { parseMailFile } from '../files/mail-file.ts'
import type { MailReading } from '../files/read-mail.ts'

/** Tries after which a file is given up. */
export const maxAttempts = 5

/** A claimed batch: the files that were read, and those that wait for the next look. */
export interface Delivery {
  readonly read: readonly ReadFile[]
  readonly postponed: readonly string[]
}

/**
 * Reads claimed files and counts the failures of each. A file that fails is postponed, with all later mail of its
 * sender; mail of other senders goes on. The last try gives the file up and names its error.
 * @param read reads one file; throws the disk's own errors
 */
export function deliveries(read: (file: string) => MailReading): (claimed: readonly string[]) => Delivery {
  const failures = new Map<string, number>()
  const attempt = (file: string): MailReading | null => {
    try {
      const reading = read(file)
      failures.delete(file)
      return reading
    } catch (error) {
      if (errorCode(error) === undefined || !(error instanceof Error)) throw error
      const attempts = (failures.get(file) ?? 0) + 1
      failures.set(file, attempts)
      if (attempts < maxAttempts) return null
      failures.delete(file)
      const id = parseMailFile(file)?.id
      const reason = `${attempts} deliveries failed, the last with: ${error.message}`
      return { reason, attempts, ...(id === undefined ? {} : { id }) }
    }
  }
  return (claimed) => {
    const stuck = new Set<string>()
    const done: ReadFile[] = []
    const postponed: string[] = []
    for (const file of claimed) {
      const waits = stuck.size > 0 && stuck.has(senderOf(file))
      const reading = waits ? null : attempt(file)
      if (reading) {
        done.push({ file, reading })
      } else {
        stuck.add(senderOf(file))
        postponed.push(file)
      }
    }
    return { read: done, postponed }
  }
}

function senderOf(file: string): string {
  return parseMailFile(file)?.sender ?? file
}
