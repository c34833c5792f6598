import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import type { ProcessIdentity } from '../process/liveness.ts'

/** The holder of an agent during one epoch, as its file says. */
export interface Holder extends ProcessIdentity {
  /** The machine that `pid` belongs to; see `ownMachine`. */
  readonly machine: string
  readonly incarnation: string
  /** The time of the take-over, in milliseconds since the Unix epoch. */
  readonly at: number
  /** Set when the holder gave the agent up in order. */
  readonly released?: true
}

/** The latest epoch; `holder` is null when its file cannot be read. */
export interface Epoch {
  readonly n: number
  readonly holder: Holder | null
}

/** The epoch with the highest number, or null when nobody ever held this agent. */
export function latestEpoch(folder: string): Epoch | null {
  const n = highest(folder)
  return n === 0 ? null : { n, holder: readHolder(join(folder, String(n))) }
}

/**
 * Makes an epoch, whole from its first moment on, and only if no other process made it or a later one.
 * @returns false when another process was faster
 */
export function claimEpoch(folder: string, { n, holder }: { n: number; holder: Holder }): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.unfinished-${holder.incarnation}`)
  const file = join(folder, String(n))
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { encoding: 'utf8', mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(draft)
  }
  // A number may be free because its epoch is over and was removed.
  if (highest(folder) === n) return true
  rmSync(file, { force: true })
  return false
}

/**
 * Replaces the file of an epoch by one that is marked as released. A full disk still lets a file be emptied, and an
 * empty file has no holder. Where neither works, the epoch ends with the process.
 */
export function markReleased(folder: string, { n, holder }: { n: number; holder: Holder }): void {
  const file = join(folder, String(n))
  const draft = join(folder, `.unfinished-${holder.incarnation}`)
  try {
    writeFileSync(draft, `${JSON.stringify({ ...holder, released: true })}\n`, { encoding: 'utf8', mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    tryToEmpty(file, draft)
  }
}

function tryToEmpty(file: string, draft: string): void {
  try {
    truncateSync(file)
    rmSync(draft, { force: true })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

/** Removes the epochs before `n`. */
export function forgetEpochs(folder: string, n: number): void {
  for (const name of namesIn(folder)) if (Number(name) < n) rmSync(join(folder, name), { force: true })
}

function highest(folder: string): number {
  return namesIn(folder).reduce((most, name) => (/^[1-9]\d*$/.test(name) ? Math.max(most, Number(name)) : most), 0)
}

function readHolder(file: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isHolder(value) ? value : null
  } catch (error) {
    if (errorCode(error) !== undefined && errorCode(error) !== 'ENOENT') throw error
    return null
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  const { pid, started, machine, incarnation, at } = value as Partial<Holder>
  return [pid, started, at].every(Number.isFinite) && typeof machine === 'string' && typeof incarnation === 'string'
}
