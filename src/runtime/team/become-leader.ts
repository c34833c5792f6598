import { LeaseHeld } from '../../adapters/lease/lease.ts'
import type { OpenedJournal } from '../../adapters/sessions/journal.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { journalWarnings, openLedger, openOwned, type Ledger } from '../journals/ledger.ts'
import { ledText } from '../runs/leader.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Opens the team's journal as its one leader, and says what in it could not be read. A second leader is refused here,
 * before it did anything, and so is one who read the journals before somebody else led the run: what it knows of it is over.
 *
 * @throws NotResumable saying who leads the run, or that somebody did; what the disk says
 * @example const { ledger, earlier } = becomeLeader(context)
 */
export function becomeLeader(context: Pick<RunContext, 'run' | 'clock' | 'earlier' | 'facts'>): {
  readonly ledger: Ledger
  readonly earlier: readonly Entry[]
} {
  const { run, earlier, facts } = context
  const { journal, entries, problems } = ownJournal(context)
  const known = earlier.recorded.findLast(({ owner }) => owner === leaderName)?.entry.seq ?? 0
  if (entries.some(({ seq, type }) => seq > known && type !== 'journal.opened')) {
    journal.close()
    throw new NotResumable(`${run.id} was led on by another process in this moment; troupe ps shows what became of it`)
  }
  const ledger = openLedger({ owner: leaderName, log: journal, earlier: entries, folds: [], publish: facts.publish })
  ledger.record(journalWarnings(leaderName, problems))
  return { ledger, earlier: entries }
}

function ownJournal({ run, clock }: Pick<RunContext, 'run' | 'clock'>): OpenedJournal {
  try {
    return openOwned({ run, clock }, { owner: leaderName, incarnation: clock.mint() })
  } catch (error) {
    if (error instanceof LeaseHeld && error.holder) throw new NotResumable(ledText(run.id, error.holder))
    throw error
  }
}
