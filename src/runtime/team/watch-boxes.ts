import type { Ring } from '../../adapters/mailbox/watch/doorbell.ts'
import { watchMail } from '../../adapters/mailbox/watch/watch-mail.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import type { RunContext } from '../context/run-context.ts'

/** Callbacks for mail that other processes wrote, and for trouble with watching for it. */
export interface BoxListeners {
  rang(name: string, ring: Ring): void
  warn(code: string, message: string): void
}

/** Mail that comes from outside in the first moments is found when the watch begins. */
const delayMs = 200

/**
 * Watches all mailboxes of a run for mail from other processes. Begins a moment after the start, which it would slow
 * down; what goes on inside the process does not need it.
 * @returns the end of the watch
 */
export function watchBoxes(
  context: Pick<RunContext, 'run' | 'clock' | 'team' | 'roster'>,
  listeners: BoxListeners,
): () => void {
  const { run, clock } = context
  const names = context.team.tasks ? [...context.roster, leaderName] : context.roster
  let end = (): void => undefined
  let over = false
  const warn: BoxListeners['warn'] = (code, message) => {
    if (!over) listeners.warn(code, message)
  }
  const timer = clock.setTimeout(() => {
    try {
      end = begin({ run, names, clock }, { ...listeners, warn })
    } catch (error) {
      warn('mail_unwatched', errorText(error))
    }
  }, delayMs)
  return () => {
    over = true
    clock.clearTimeout(timer)
    end()
  }
}

type Watched = Pick<RunContext, 'run'> & { readonly names: readonly string[]; readonly clock: Clock }

function begin({ run, names, clock }: Watched, { rang, warn }: BoxListeners): () => void {
  const watch = watchMail(
    {
      dir: run.mail,
      names,
      timers: { set: (act, ms) => clock.setTimeout(act, ms), clear: (timer) => clock.clearTimeout(timer) },
      onProblem: (message) => warn('mail_polling', message),
    },
    rang,
  )
  return () => void watch.close()
}
