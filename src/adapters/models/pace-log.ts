import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { paceEventSchema, type PaceEvent } from '../../protocol/models/pace-event.ts'
import { afterEvent, isTurn, unpaced, type RequestPace } from '../../rules/conversation/request-pace.ts'
import { parseJson } from '../fs/parse-json.ts'

/** The pace of one provider, and the events that it comes of. */
export interface PaceLog {
  /** As far as anybody has written. */
  pace(): RequestPace
  /** Returns false for a request whose turn it is not: another one came before it. */
  write(event: PaceEvent): boolean
}

/** A log of this process alone. */
export function paceInMemory(): PaceLog {
  let pace = unpaced
  return {
    pace: () => pace,
    write(event) {
      const counts = isCounted(pace, event)
      pace = afterEvent(pace, event)
      return counts
    },
  }
}

/**
 * A log that several processes of one machine write. Each appends whole lines and takes in everybody's in their order in the
 * file: of two processes that see the same free turn, the one whose line came first has it, and both know. No lock is taken,
 * so a killed process holds up nobody. A file that cannot be written leaves this process its own pace.
 *
 * @param file made with its folder when the first event comes
 * @param by a name that no other log of this file has
 */
export function openPaceFile(file: string, by: string): PaceLog {
  let pace = unpaced
  let taken = 0
  /** Takes in what is new; whether this process's own line counts. */
  const catchUp = (own?: string): boolean => {
    let counts = true
    const text = textFrom(file, taken)
    const whole = text.subarray(0, text.lastIndexOf('\n') + 1)
    taken += whole.length
    for (const line of whole.toString().split('\n')) {
      const { data: event } = paceEventSchema.safeParse(parseJson(line))
      if (event === undefined) continue
      if (line === own) counts = isCounted(pace, event)
      pace = afterEvent(pace, event)
    }
    return counts
  }
  return {
    pace() {
      catchUp()
      return pace
    },
    write(event) {
      const line = JSON.stringify({ ...event, by })
      try {
        append(file, `${line}\n`)
      } catch {
        const counts = isCounted(pace, event)
        pace = afterEvent(pace, event)
        return counts
      }
      return catchUp(line)
    },
  }
}

function isCounted(pace: RequestPace, { type, at }: PaceEvent): boolean {
  return type !== 'sent' || isTurn(pace, at)
}

function append(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  appendFileSync(file, text, { mode: 0o600 })
}

/** The bytes of a file from a place on; none where it cannot be read. */
function textFrom(file: string, from: number): Buffer {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from))
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
  } catch {
    return Buffer.alloc(0)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
