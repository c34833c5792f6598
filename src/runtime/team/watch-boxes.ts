import { sendersTo } from '../../adapters/mailbox/files/mail-state.ts'
import { watchMail } from '../../adapters/mailbox/watch/watch-mail.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { RunContext } from '../context/run-context.ts'

/** Mail that comes from outside in the first moments is found when the watch begins. */
const delayMs = 200

type WatchedRun = Pick<RunContext, 'run' | 'clock' | 'roster' | 'doorbell'>
type Warn = (code: string, message: string) => void

/**
 * Watches all mailboxes of a run for mail from other processes, which rings like mail from inside and starts whom it is
 * for. Begins a moment after the start, which it would slow down; what goes on inside the process does not need it.
 * @returns the end of the watch
 */
export function watchBoxes(context: WatchedRun, tellTeam: (event: TeamEvent) => void, warn: Warn): () => void {
  const { clock } = context
  let end = (): void => undefined
  let over = false
  const warnMeanwhile: Warn = (code, message) => {
    if (!over) warn(code, message)
  }
  const timer = clock.setTimeout(() => {
    try {
      end = begin(context, tellTeam, warnMeanwhile)
    } catch (error) {
      warnMeanwhile('mail_unwatched', errorText(error))
    }
  }, delayMs)
  return () => {
    over = true
    clock.clearTimeout(timer)
    end()
  }
}

function begin({ run, clock, roster, doorbell }: WatchedRun, tellTeam: (event: TeamEvent) => void, warn: Warn) {
  const watch = watchMail(
    {
      dir: run.mail,
      names: [...roster, leaderName],
      timers: { set: (act, ms) => clock.setTimeout(act, ms), clear: (timer) => clock.clearTimeout(timer) },
      onProblem: (message) => warn('mail_polling', message),
    },
    (name, ring) => {
      doorbell.ring(name, ring)
      if (name === leaderName) return
      // Mail of members is told by their journals, with the name of the sender.
      if (sendersTo(run.mail, name).every((sender) => roster.includes(sender))) return
      tellTeam({ type: 'member.addressed', member: name, at: clock.now() })
    },
  )
  return () => void watch.close()
}
