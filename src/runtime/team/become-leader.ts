import { LeaseHeld } from '../../adapters/lease/lease.ts'
import type { Journal } from '../../adapters/sessions/journal.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
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
  const log = { append: hearingFirst(context, journal.append), close: journal.close }
  const ledger = openLedger({ owner: leaderName, log, publish: facts.publish })
  ledger.record(journalWarnings(leaderName, problems))
  return { ledger, past }
}

/** Puts what the leader has heard since its last line into the next one: a replay tells its machines the same before it. */
function hearingFirst(
  { earlier, facts }: Pick<RunContext, 'earlier' | 'facts'>,
  append: Journal['append'],
): Journal['append'] {
  let heard: Record<string, number> = {}
  const hear = ({ owner, entry }: Recorded): void => {
    if (owner !== leaderName) heard[owner] = entry.seq
  }
  earlier.recorded.forEach(hear)
  facts.subscribe(hear)
  return ([first, ...rest]) => {
    if (first === undefined) return []
    const isNews = Object.keys(heard).length > 0
    const entries = append([isNews ? { heard, ...first } : first, ...rest])
    if (isNews) heard = {}
    return entries
  }
}

function ownJournal({ run, clock }: Pick<RunContext, 'run' | 'clock'>): OwnedJournal<TeamPast> {
  try {
    return openTeamJournal({ run, clock }, clock.mint())
  } catch (error) {
    if (error instanceof LeaseHeld && error.holder) throw new NotResumable(ledText(run.id, error.holder))
    throw error
  }
}
