import { mkdirSync } from 'node:fs'

/** A watch on the answers of one run. */
export interface AnswerWatch {
  close(): void
}

/**
 * Says that something came into a folder, soon after it did: a hint, never the truth. One watcher per process, loaded
 * when it is first needed.
 * @param dir `<run>/permissions`; made when it is missing
 * @param onHint hears of every new file, and once when the watch begins to see
 * @param onProblem hears that there are no notifications; whoever waits has to look by itself
 */
export function watchAnswers(dir: string, onHint: () => void, onProblem: (message: string) => void): AnswerWatch {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let closed = false
  const hint = (): void => {
    if (!closed) onHint()
  }
  const started = import('chokidar').then(({ watch }) => {
    const watcher = watch(dir, { depth: 0, ignoreInitial: true })
    watcher.on('add', hint)
    watcher.on('ready', hint)
    watcher.on('error', (error) => {
      if (!closed) onProblem(String(error))
    })
    if (closed) void watcher.close()
    return watcher
  })
  started.catch((error: unknown) => onProblem(String(error)))
  return {
    close() {
      closed = true
      void started.then((watcher) => watcher.close()).catch(() => undefined)
    },
  }
}
