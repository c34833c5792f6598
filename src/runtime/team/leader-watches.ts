import { sendersTo } from '../../adapters/mailbox/files/mail-state.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { supervisionPolicy } from '../../protocol/team/supervision.ts'
import type { RunContext } from '../context/run-context.ts'
import { watchFrozen } from '../elsewhere/frozen-workers.ts'
import { offerLive } from '../elsewhere/offer-live.ts'
import type { Ledger } from '../journals/ledger.ts'
import { attendApprovals, callIsOver } from './attend-approvals.ts'
import type { Leader } from './leader.ts'
import { watchBoxes } from './watch-boxes.ts'
import { watchSilence } from './watch-silence.ts'

/** Watches that last from the first moment to the end of the run. */
export function leaderWatches(context: RunContext, ledger: Ledger, tellTeam: Leader['tellTeam']): (() => void)[] {
  const { supervision = supervisionPolicy() } = context.team
  const warn = (code: string, message: string): void => ledger.record([{ type: 'warning.raised', code, message }])
  return [
    watchFor(context, tellTeam, ledger),
    attendIn(context, ledger),
    offerLive(context, leaderName, warn),
    watchFrozen(context, warn),
    watchSilence(context, { silenceMs: supervision.silence_ms, record: ledger.record }),
  ]
}

/** Mail from other processes rings like mail from inside, and starts whom it is for. */
function watchFor(context: RunContext, tellTeam: Leader['tellTeam'], ledger: Ledger): () => void {
  const { doorbell, clock, run } = context
  return watchBoxes(context, {
    rang(name, ring) {
      doorbell.ring(name, ring)
      if (name === leaderName) return
      // Mail of members is told by their journals, with the name of the sender.
      if (sendersTo(run.mail, name).every((sender) => context.roster.includes(sender))) return
      tellTeam({ type: 'member.addressed', member: name, at: clock.now() })
    },
    warn: (code, message) => ledger.record([{ type: 'warning.raised', code, message }]),
  })
}

function attendIn({ approvals, facts, clock, run }: RunContext, { record }: Ledger): () => void {
  return attendApprovals({ approvals, facts, now: clock.now, record, isOver: (request) => callIsOver(run, request) })
}
