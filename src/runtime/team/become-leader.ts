import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { journalWarnings, openLedger, type Ledger, type OwnedJournal } from '../journals/ledger.ts'
import { openTeamJournal, type TeamPast } from '../journals/team-journal.ts'
import { ledText } from '../runs/leader.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Opens the team's journal as its one leader, and says what in it could not be read. A second leader is refused here,
 * before it did anything, and so is one who read the journals before somebody else led the run: what it knows of it is over.
 *
 * @throws NotResumable saying who leads the run, or that somebody did; what the disk says
 * @example const { ledger, past } = becomeLeader(context)
 */
export function becomeLeader(context: Pick<RunContext, 'run' | 'clock' | 'earlier' | 'facts'>): {
  readonly ledger: Ledger
  readonly past: TeamPast
} {
  const { run, earlier, facts } = context
  const { journal, state: past, problems } = ownJournal(context)
  const known = earlier.recorded.findLast(({ owner }) => owner === leaderName)?.entry.seq ?? 0
  if (past.lastFact > known) {
    journal.close()
    throw new NotResumable(`${run.id} was led on by another process in this moment; troupe ps shows what became of it`)
  }
  const ledger = openLedger({ owner: leaderName, log: journal, publish: facts.publish })
  ledger.record(journalWarnings(leaderName, problems))
  return { ledger, past }
}

function ownJournal({ run, clock }: Pick<RunContext, 'run' | 'clock'>): OwnedJournal<TeamPast> {
  try {
    return openTeamJournal({ run, clock }, clock.mint())
  } catch (error) {
    if (error instanceof LeaseHeld && error.holder) throw new NotResumable(ledText(run.id, error.holder))
    throw error
  }
}
