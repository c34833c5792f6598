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
  const { team, run, approvals, facts, clock } = context
  const { supervision = supervisionPolicy({}, team.gather.timeout_ms) } = team
  const { record } = ledger
  const warn = (code: string, message: string): void => record([{ type: 'warning.raised', code, message }])
  return [
    watchBoxes(context, tellTeam, warn),
    attendApprovals({ approvals, facts, now: clock.now, record, isOver: (request) => callIsOver(run, request) }),
    offerLive(context, leaderName, warn),
    watchFrozen(context, warn),
    watchSilence(context, { silenceMs: supervision.silence_ms, record }),
  ]
}
