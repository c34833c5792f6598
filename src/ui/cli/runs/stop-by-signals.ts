import type { TeamRun } from '../../../runtime/run/run-team.ts'
import { exitCodes } from '../host/exit-codes.ts'
import type { Host } from '../host/host.ts'
import type { Progress } from '../progress/progress.ts'

/** The effect of the signals so far. */
export interface Stopping {
  interrupted(): boolean
  /** Signals mean again what they mean to any process. */
  release(): void
}

/**
 * The first Ctrl-C or SIGTERM interrupts the run, the second ends the process at once. A reader of stdout that goes away
 * interrupts the run, too, and so does a terminal that is closed: nobody would see the rest. Both may be said more than
 * once, and mean nothing new then. An interrupted run can be led on.
 */
export function stopBySignals(run: Pick<TeamRun, 'interrupt'>, progress: Pick<Progress, 'note'>, host: Host): Stopping {
  let asked = false
  const stop = (): void => {
    if (asked) {
      host.exit(exitCodes.interrupted)
      return
    }
    asked = true
    progress.note('stopping… (once more to leave at once)')
    run.interrupt()
  }
  const stopOnce = (): void => {
    if (!asked) stop()
  }
  const deaf = [
    host.onSignal('SIGINT', stop),
    host.onSignal('SIGTERM', stop),
    host.onSignal('SIGHUP', stopOnce),
    host.onBrokenPipe(stopOnce),
  ]
  return {
    interrupted: () => asked,
    release: () => {
      for (const unlisten of deaf) unlisten()
    },
  }
}
