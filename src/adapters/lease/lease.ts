import { existsSync, linkSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { momentText } from '../../protocol/words/local-time.ts'
import type { PlacedProcess } from '../../rules/team/life-verdict.ts'
import { ownMachine, ownProcess } from '../process/liveness.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { forgetHeartbeat, keepHeartbeat } from './heartbeat.ts'
import { lifeOf } from './who-lives.ts'

/**
 * Owns the right to be one agent: to write its journal and to empty its inbox.
 * 1. An epoch is a file made by link(2): of several processes that try at one moment, one gets it. The highest holds.
 * 2. A living holder is never taken over, and neither is one of whom nobody can tell: `who-lives.ts` judges. A holder has a
 *    heartbeat from before its epoch is there until the lease is given up.
 * 3. A new holder removes every earlier epoch before it acts or reads. Before an append, and again before anything follows
 *    from it, a holder looks whether its own epoch is there: then its successor will read what it wrote; else it stops.
 * 4. A lease takes no lock per message and never waits.
 */
interface Lease {
  readonly epoch: number
  /**
   * Looks whether the lease holds.
   * @throws {LeaseLost} when another process is this agent by now
   */
  check(): void
  /** Gives the agent up; the next one need not wait for this process to end. */
  release(): void
}

interface LeaseOptions {
  /** `<run>/lease`. */
  readonly dir: string
  /** The agent: a member's name, or `team`. */
  readonly name: string
  /** A fresh ULID: one life of the agent. */
  readonly incarnation: string
  readonly now: () => number
  /** Hears the names of the steps; a chaos test ends the process there. */
  readonly step?: (name: LeaseStep) => void
}

export type LeaseStep = 'lease.judged' | 'lease.taken'

/** Thrown when a living process is this agent, or one of which that is not clear yet. */
export class LeaseHeld extends Error {
  override readonly name = 'LeaseHeld'
  readonly holder: Holder | null

  constructor(agent: string, holder: Holder | null) {
    super(heldText(agent, holder))
    this.holder = holder
  }
}

/** Thrown when a later owner came: the earlier one writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Becomes the one owner of an agent.
 * @throws {LeaseHeld} naming the process and its start when a living one owns it; else the disk's own errors
 * @example
 * const lease = acquireLease({ dir: run.lease, name: 'historian', incarnation: clock.mint(), now: clock.now })
 * lease.check()
 * lease.release()
 */
export function acquireLease(options: LeaseOptions): Lease {
  const quieten = keepHeartbeat(options.dir)
  try {
    return leaseOf(takeEpoch(options), options, quieten)
  } catch (error) {
    quieten()
    throw error
  }
}

/**
 * The process that is an agent now, or may be: null when nobody was, the last one gave it up or is dead.
 * @param dir `<run>/lease`
 */
export function presentHolder(dir: string, name: string): Holder | null {
  return presentIn(dir, latestEpoch(join(dir, name)))
}

function presentIn(dir: string, latest: Epoch | null): Holder | null {
  // An unreadable file was emptied by a power cut, which no process outlives, or by its holder, on a full disk.
  const holder = latest?.holder
  return !holder || holder.released || lifeOf(dir, holder) === 'dead' ? null : holder
}

type OwnEpoch = { readonly n: number; readonly holder: Holder }

function takeEpoch({ dir, name, incarnation, now, step }: LeaseOptions): OwnEpoch {
  const folder = join(dir, name)
  for (;;) {
    const latest = latestEpoch(folder)
    const present = presentIn(dir, latest)
    if (present) throw new LeaseHeld(name, present)
    step?.('lease.judged')
    const holder = { ...ownProcess(), incarnation, at: now() }
    const epoch = { n: (latest?.n ?? 0) + 1, holder }
    if (!claimEpoch(folder, epoch)) continue
    step?.('lease.taken')
    if (latest) forgetEpochs(folder, epoch.n)
    // The heartbeat of a process elsewhere still says of its other leases that it is dead.
    if (latest?.holder?.machine === holder.machine && !latest.holder.released) forgetHeartbeat(dir, latest.holder)
    return epoch
  }
}

function leaseOf(epoch: OwnEpoch, { dir, name }: LeaseOptions, quieten: () => void): Lease {
  const folder = join(dir, name)
  const own = join(folder, String(epoch.n))
  let released = false
  const holds = (): boolean => !released && existsSync(own)
  return {
    epoch: epoch.n,
    check() {
      if (holds()) return
      const why = existsSync(dir) ? `${name} belongs to another process by now` : `${dir} is gone, and the run with it`
      throw new LeaseLost(`${why}: nothing more is written here`)
    },
    release() {
      if (holds()) markReleased(folder, epoch)
      released = true
      quieten()
    },
  }
}

function heldText(agent: string, holder: Holder | null): string {
  if (!holder) return `${agent} is owned by another process`
  return `${agent} is owned by ${holderText(holder)}; it has to end before another can be ${agent}`
}

/** The holder's process, as a person may look for it. */
export function holderText({ pid, started, at, machine }: Holder): string {
  const where = machine === ownMachine() ? '' : ' on another machine or in another container'
  return `process ${pid} (start ${started}, since ${momentText(at)})${where}`
}

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
interface Epoch {
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
function markReleased(folder: string, { n, holder }: { n: number; holder: Holder }): void {
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
function forgetEpochs(folder: string, n: number): void {
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
