import { setTimeout as pause } from 'node:timers/promises'
import type { Executor, SpawnManifest } from '../../protocol/team/executor.ts'

/** A worker that lives in this process, as the composition root hands it over. */
export interface LocalWorker {
  /** Resolves once the worker has taken its inbox; rejects when it cannot. */
  readonly ready: Promise<void>
  /** Resolves when the worker is over: drained, or crashed. */
  readonly gone: Promise<void>
  shutdown(reason: string): void
  /** Ends it at once and without a word. */
  drop(): void
}

/** For leaving in order; then it is abandoned. */
const leaveMs = 8_000
/** For its programs to end after that. */
const dropMs = 2_000

/**
 * Runs workers as actors of this process: no start-up cost, shared connections, separate conversations.
 * One that does not leave in time is interrupted and left to itself: what it still does is recorded nowhere.
 * Owns the map of living local workers; never decides who lives.
 */
export function inProcessExecutor(start: (manifest: SpawnManifest) => LocalWorker): Executor {
  const workers = new Map<string, LocalWorker>()
  const endings = new Map<string, Promise<boolean>>()
  return {
    async spawn(manifest) {
      const { member } = manifest
      // One that has said good-bye may still be ending its commands.
      await endings.get(member)
      if (workers.has(member)) throw new Error(`${member} is already running`)
      const worker = start(manifest)
      workers.set(member, worker)
      void worker.gone.then(() => workers.get(member) === worker && workers.delete(member))
      await worker.ready
    },
    async terminate(member, reason, cut = false) {
      const worker = workers.get(member)
      if (!worker) return false
      const ending = end(worker, reason, cut).finally(() => {
        if (workers.get(member) === worker) workers.delete(member)
        if (endings.get(member) === ending) endings.delete(member)
      })
      endings.set(member, ending)
      return ending
    },
  }
}

async function end(worker: LocalWorker, reason: string, cut: boolean): Promise<boolean> {
  if (!cut) {
    worker.shutdown(reason)
    if (await isGoneIn(worker, leaveMs)) return true
  }
  worker.drop()
  await isGoneIn(worker, dropMs)
  return true
}

async function isGoneIn({ gone }: LocalWorker, ms: number): Promise<boolean> {
  return Promise.race([gone.then(() => true), pause(ms, false, { ref: false })])
}
