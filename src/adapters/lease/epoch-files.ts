import { linkSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import type { PlacedProcess } from '../../rules/team/life-verdict.ts'

/** The holder of an agent during one epoch, as its file says. */
export interface Holder extends PlacedProcess {
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
  let isLatest = false
  try {
    linkSync(draft, file)
    // A number may be free because its epoch is over and was removed.
    isLatest = highest(folder) === n
    if (!isLatest) rmSync(file, { force: true })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // A process that fails after the link must not hold what it does not know of.
    forgetOwn(file, holder)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return isLatest
}

function forgetOwn(file: string, { incarnation }: Holder): void {
  if (readHolder(file)?.incarnation === incarnation) rmSync(file, { force: true })
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
  for (const name of namesIn(folder)) if (Number(name) < n) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Fifteen digits: a number that can be counted on. */
function highest(folder: string): number {
  return namesIn(folder).reduce((most, name) => (/^[1-9]\d{0,14}$/.test(name) ? Math.max(most, Number(name)) : most), 0)
}

/** A file that is not plain, or says nothing, holds nobody. */
function readHolder(file: string): Holder | null {
  try {
    const plain = readPlainFile(file)
    const value: unknown = 'text' in plain ? JSON.parse(plain.text) : null
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
