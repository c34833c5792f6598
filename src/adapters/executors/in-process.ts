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
  return {
    async spawn(manifest) {
      if (workers.has(manifest.member)) throw new Error(`${manifest.member} is already running`)
      const worker = start(manifest)
      workers.set(manifest.member, worker)
      void worker.gone.then(() => workers.get(manifest.member) === worker && workers.delete(manifest.member))
      await worker.ready
    },
    async terminate(member, reason) {
      const worker = workers.get(member)
      if (!worker) return false
      worker.shutdown(reason)
      if (await isGoneIn(worker, leaveMs)) return true
      worker.drop()
      await isGoneIn(worker, dropMs)
      workers.delete(member)
      return true
    },
  }
}

async function isGoneIn({ gone }: LocalWorker, ms: number): Promise<boolean> {
  return Promise.race([gone.then(() => true), pause(ms, false, { ref: false })])
}
