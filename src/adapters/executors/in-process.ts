import type { Executor, SpawnManifest } from '../../protocol/team/executor.ts'

/** A worker that lives in this process, as the composition root hands it over. */
export interface LocalWorker {
  /** Resolves once the worker has taken its inbox; rejects when it cannot. */
  readonly ready: Promise<void>
  /** Resolves when the worker is over: drained, or crashed. */
  readonly gone: Promise<void>
  shutdown(reason: string): void
}

/**
 * Runs workers as actors of this process: no start-up cost, shared connections, separate conversations.
 * Owns the map of living local workers; never decides who lives.
 */
export function inProcessExecutor(start: (manifest: SpawnManifest) => LocalWorker): Executor {
  const workers = new Map<string, LocalWorker>()
  return {
    async spawn(manifest) {
      if (workers.has(manifest.member)) throw new Error(`${manifest.member} is already running`)
      const worker = start(manifest)
      workers.set(manifest.member, worker)
      void worker.gone.then(() => workers.delete(manifest.member))
      await worker.ready
    },
    async terminate(member, reason) {
      const worker = workers.get(member)
      if (!worker) return false
      worker.shutdown(reason)
      await worker.gone
      return true
    },
  }
}
