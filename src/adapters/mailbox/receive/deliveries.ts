import { errorCode } from '../../fs/error-code.ts'
import type { ReadFile } from './judge-batch.ts'
import { parseMailFile } from '../files/mail-file.ts'
import type { MailReading } from '../files/read-mail.ts'

/** After so many failures a file is given up. */
export const maxAttempts = 5

/** What of a claimed batch can be judged now, and what has to wait for the next look. */
export interface Delivery {
  readonly read: readonly ReadFile[]
  readonly postponed: readonly string[]
}

/**
 * Reads claimed files and counts, for each, how often the disk would not give it. A file that fails is postponed, with
 * all later mail of its sender; what comes from others goes on. After five failures it is given up with the last one.
 * @param read reads one file; throws what the disk says
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
