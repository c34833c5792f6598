import { parseMailFile } from '../files/mail-files.ts'
import type { MailRefusal } from '../files/read-mail.ts'

/** Milliseconds between two tries of a file; a failure after the last one gives it up. */
const pauses = [100, 1_000, 5_000, 30_000]

/** Waiting for one file's next try. */
interface Pause {
  readonly attempts: number
  readonly since: number
  readonly ms: number
}

/**
 * Owns the tries of files that the disk does not give: spaced in seconds, so that trouble of a moment kills no mail. A
 * file that waits holds back the later mail of its sender, and no other.
 */
export interface Retries {
  /** Whether a file is not to be tried now. */
  waits(file: string): boolean
  /** Notes a failure; the last one says why the file is given up. */
  failed(file: string, error: Error): MailRefusal | null
  succeeded(file: string): void
  /** Passes over a file for good: it was given up, and stays where it is. */
  leave(file: string): void
  /** Milliseconds until the next try; null when nothing waits. */
  nextIn(): number | null
}

export function openRetries(now: () => number): Retries {
  const waiting = new Map<string, Pause>()
  const left = new Set<string>()
  const remaining = ({ since, ms }: Pause): number => {
    const gone = now() - since
    // A clock that was set back ends no wait later than planned.
    return gone < 0 ? 0 : Math.max(0, ms - gone)
  }
  const isBehind = (file: string): boolean => {
    const name = parseMailFile(file)
    if (!name) return false
    for (const [other, pause] of waiting) {
      const before = parseMailFile(other)
      if (before?.sender === name.sender && before.seq < name.seq && remaining(pause) > 0) return true
    }
    return false
  }
  return {
    waits(file) {
      if (waiting.size === 0 && left.size === 0) return false
      const pause = waiting.get(file)
      return left.has(file) || (pause ? remaining(pause) > 0 : isBehind(file))
    },
    failed(file, { message }) {
      const attempts = (waiting.get(file)?.attempts ?? 0) + 1
      const ms = pauses[attempts - 1]
      waiting.delete(file)
      if (ms === undefined) {
        const id = parseMailFile(file)?.id
        const reason = `${attempts} deliveries failed, the last with: ${message}`
        return { reason, attempts, ...(id === undefined ? {} : { id }) }
      }
      waiting.set(file, { attempts, since: now(), ms })
      return null
    },
    succeeded: (file) => void waiting.delete(file),
    leave: (file) => void left.add(file),
    nextIn: () => (waiting.size === 0 ? null : Math.min(...[...waiting.values()].map(remaining))),
  }
}
