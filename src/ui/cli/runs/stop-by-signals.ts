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
 * The first Ctrl-C or SIGTERM interrupts the run, the second ends the process at once. A terminal that is closed interrupts
 * the run, too: nobody would see the rest. It may be closed more than once, which means nothing new then. An interrupted
 * run can be led on. A reader of stdout that goes away (`| head`) has seen enough, and the run goes on without it.
 */
export function stopBySignals(
  run: Pick<TeamRun, 'id' | 'interrupt'>,
  progress: Pick<Progress, 'note'>,
  host: Host,
): Stopping {
  let asked = false
  const stop = (): void => {
    if (asked) {
      host.exit(exitCodes.interrupted)
      return
    }
    asked = true
    progress.note(
      `stopping all members of ${run.id} where they are; once more leaves at once. To go on: troupe resume ${run.id}`,
    )
    run.interrupt()
  }
  const stopOnce = (): void => {
    if (!asked) stop()
  }
  let isUnread = false
  const noteUnread = (): void => {
    if (!isUnread) progress.note('nobody reads the output any more; the run goes on')
    isUnread = true
  }
  const deaf = [
    host.onSignal('SIGINT', stop),
    host.onSignal('SIGTERM', stop),
    host.onSignal('SIGHUP', stopOnce),
    host.onBrokenPipe(noteUnread),
  ]
  return {
    interrupted: () => asked,
    release: () => {
      for (const unlisten of deaf) unlisten()
    },
  }
}
