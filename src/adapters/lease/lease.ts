import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ownMachine, ownProcess } from '../process/liveness.ts'
import { claimEpoch, forgetEpochs, latestEpoch, markReleased, type Epoch, type Holder } from './epoch-files.ts'
import { forgetHeartbeat, keepHeartbeat } from './heartbeat.ts'
import { lifeOf } from './who-lives.ts'

/**
 * Owns the right to be one agent: to write its journal and to empty its inbox.
 * 1. An epoch is a file made by link(2): of several processes that try at one moment, one gets it. The highest holds.
 * 2. A living holder is never taken over, and neither is one of whom nobody can tell: `who-lives.ts` judges. A holder has a
 *    heartbeat from before its epoch is there until the lease is given up.
 * 3. A new holder removes every earlier epoch before it acts. Before an append, a holder looks whether its own epoch is
 *    there, once a millisecond, and writes nothing more once it is not.
 * 4. A lease takes no lock per message and never waits.
 */
export interface Lease {
  readonly epoch: number
  /**
   * Looks whether the lease holds, once a millisecond at most.
   * @throws {LeaseLost} when another process is this agent by now
   */
  check(): void
  /** Gives the agent up; the next one need not wait for this process to end. */
  release(): void
}

export interface LeaseOptions {
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

function leaseOf(epoch: OwnEpoch, { dir, name, now }: LeaseOptions, quieten: () => void): Lease {
  const folder = join(dir, name)
  const own = join(folder, String(epoch.n))
  let released = false
  let seenAt = Number.NaN
  const holds = (): boolean => !released && existsSync(own)
  return {
    epoch: epoch.n,
    check() {
      const at = now()
      // Several appends of one millisecond share a look; a process that was suspended in between looks again.
      if (!released && at === seenAt) return
      if (!holds()) throw new LeaseLost(`${name} belongs to another process by now: nothing more is written here`)
      seenAt = at
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
  return `process ${pid} (start ${started}, since ${new Date(at).toISOString()})${where}`
}
