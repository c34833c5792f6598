import { errorCode } from '../../adapters/fs/error-code.ts'
import { mountPoint } from '../../adapters/fs/mount-point.ts'
import { probeDisk } from '../../adapters/fs/probe-disk.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Ledger } from './ledger.ts'
import { RunHalted } from './run-halted.ts'

/** The words for a disk that takes nothing more. */
const refusals: Readonly<Record<string, { readonly is: string; readonly cure: string }>> = {
  ENOSPC: { is: 'is full', cure: 'make room there' },
  EDQUOT: { is: 'takes no more from this user', cure: 'make room within the quota' },
  EROFS: { is: 'is read-only', cure: 'make it writable' },
  EIO: { is: 'cannot be written', cure: 'mend it' },
}

/** Whether it is the disk that failed, so that no life and no restart can go on. */
export function isDiskRefusal(error: unknown): boolean {
  return Object.hasOwn(refusals, errorCode(error) ?? '')
}

/** The same error, or what it means for a run when its disk takes nothing more. */
export function asHalt({ id, dir }: Pick<RunDirectory, 'id' | 'dir'>, error: unknown): unknown {
  const code = errorCode(error) ?? ''
  const refusal = refusals[code]
  if (!refusal) return error
  const what = `${id} is halted: the disk at ${mountPoint(dir)} ${refusal.is} (${code})`
  const remedy = `Nothing that was recorded is lost; ${refusal.cure}, then: troupe resume ${id}`
  return new RunHalted(`${what}. ${remedy}`, { cause: error })
}

/** Does what has to be done before a run begins, on these places; says whose disk it is that takes nothing. */
export function beforeRun<Done>(places: readonly string[], act: () => Done): Done {
  try {
    return act()
  } catch (error) {
    const code = errorCode(error) ?? ''
    const refusal = refusals[code]
    if (!refusal) throw error
    const place = places.find((dir) => diskRefusal(dir)) ?? places[0] ?? '/'
    throw new RunHalted(`no run begins: the disk at ${mountPoint(place)} ${refusal.is} (${code}); ${refusal.cure}`, {
      cause: error,
    })
  }
}

/** How a run stops in the middle when nothing more can be recorded of it. */
export interface Halt {
  /** Adds steps that stop parts of the run, in this order. */
  onHalt(...ends: readonly (() => void)[]): void
  /** Stops all of it, once; what was recorded stands, and nothing is done any more. */
  halt(error: unknown): void
}

/**
 * Stops a run as a kill would, but leaves nothing running: without its journal nothing may be done, not even leaving in
 * order.
 * @param halted hears why, after everything has stopped
 */
export function openHalt(halted: (error: unknown) => void): Halt {
  const ends: (() => void)[] = []
  let over = false
  return {
    onHalt: (...more) => void ends.push(...more),
    halt(error) {
      if (over) return
      over = true
      for (const end of ends) end()
      halted(error)
    },
  }
}

/** The ledger for whoever cannot be told that it failed: then the run stops. */
export function haltingLedger(ledger: Ledger, { halt }: Pick<Halt, 'halt'>): Ledger {
  return {
    ...ledger,
    record(facts) {
      try {
        ledger.record(facts)
      } catch (error) {
        halt(error)
      }
    },
  }
}

/**
 * Does what a worker of this run needs; when it fails because the disk takes nothing more, the run stops. A process of
 * its own does not say why it ended, so the disk is asked.
 */
export async function haltingOnDisk({ halt, context }: HaltingStage, start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    const refusal = isDiskRefusal(error) ? error : diskRefusal(context.run.dir)
    if (refusal) halt(refusal)
    throw error
  }
}

interface HaltingStage extends Pick<Halt, 'halt'> {
  readonly context: { readonly run: Pick<RunDirectory, 'dir'> }
}

/** The refusal of a run's disk that takes nothing more, else null. */
export function diskRefusal(dir: string): Error | null {
  const refusal = probeDisk(dir)
  return isDiskRefusal(refusal) ? refusal : null
}
