import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlacedProcess } from '../../rules/team/life-verdict.ts'
import { errorCode } from '../fs/error-code.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { ownProcess } from '../process/liveness.ts'

/** Between two signs of life. */
export const beatMs = 2_000

interface Heartbeat {
  /** Leases that this process holds in the run. */
  leases: number
  readonly timer: NodeJS.Timeout
}

/** By file. */
const beating = new Map<string, Heartbeat>()

/**
 * Shows that this process lives, for those who cannot see its process id: on another machine, in another container. A
 * process has one heartbeat in a run, however many leases it holds there.
 * @param dir `<run>/lease`
 * @returns gives up one lease; the heartbeat ends with the last
 */
export function keepHeartbeat(dir: string): () => void {
  const file = heartbeatFile(dir, ownProcess())
  const own = beating.get(file) ?? begin(file)
  own.leases += 1
  let over = false
  return () => {
    if (over) return
    over = true
    own.leases -= 1
    if (own.leases > 0) return
    clearInterval(own.timer)
    beating.delete(file)
    attempt(() => rmSync(file, { force: true }))
  }
}

/** A run that is gone, a disk that is full: whoever gives no sign may be followed, and then writes nothing more. */
function attempt(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

function begin(file: string): Heartbeat {
  let count = 0
  const beat = (): void => {
    count += 1
    // Written over, not anew: a full disk still lets that be done.
    const flag = count === 1 ? 'w' : 'r+'
    attempt(() => writeFileSync(file, `${String(count).padStart(9, '0')}\n`, { mode: 0o600, flag }))
  }
  attempt(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
  beat()
  const heartbeat = { leases: 0, timer: setInterval(beat, beatMs).unref() }
  beating.set(file, heartbeat)
  return heartbeat
}

/** The last sign of life of a process; empty when there is none. */
export function lastBeat(dir: string, process: PlacedProcess): string {
  return textIn(heartbeatFile(dir, process))
}

/** Whether somebody watched this process for long enough, and it gave no sign since. */
export function isKnownSilent(dir: string, process: PlacedProcess): boolean {
  const file = heartbeatFile(dir, process)
  const heard = textIn(`${file}.silent`)
  return heard !== '' && heard === `after ${textIn(file)}`
}

/** Says that a process was watched for long enough after this beat, so that nobody has to watch it again. */
export function noteSilence(dir: string, process: PlacedProcess, beat: string): void {
  const file = heartbeatFile(dir, process)
  attempt(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
  attempt(() => writeFileSync(`${file}.silent`, `after ${beat}`, { mode: 0o600 }))
}

/** Removes what a dead process left here. */
export function forgetHeartbeat(dir: string, process: PlacedProcess): void {
  const file = heartbeatFile(dir, process)
  for (const left of [file, `${file}.silent`]) attempt(() => rmSync(left, { force: true }))
}

function textIn(file: string): string {
  try {
    const plain = readPlainFile(file)
    return 'text' in plain ? plain.text : ''
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return ''
  }
}

/** The file that a process rewrites as long as it lives, with another content each time. */
function heartbeatFile(dir: string, { pid, started, machine = '' }: PlacedProcess): string {
  const where = createHash('sha256').update(machine).digest('hex').slice(0, 8)
  return join(dir, '.processes', `${pid}.${started}.${where}`)
}
