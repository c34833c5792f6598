import { mailFold, type MailMemory } from '../../adapters/mailbox/files/mail-memory.ts'
import { emptyTaskBoard, applyTaskBoard, type TaskBoard } from '../../projections/team/task-board.ts'
import type { EntryFold } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { lifeAskIn } from '../../protocol/work/life-ask.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import { openOwned, type OwnedJournal } from './ledger.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'

/** The past of a run, as the team's journal tells it to whoever leads the run on. */
export interface TeamPast {
  readonly board: TaskBoard
  /** Asks to the board that have no answer yet, by the id of their mail. */
  readonly asks: Map<string, Envelope>
  readonly mail: MailMemory
  /** How the run has ended; null while it goes on, and again after somebody opened it anew. */
  end: FactOf<'team.ended'> | null
  /** The number of the last fact, 0 before the first. */
  lastFact: number
}

/** Folds the team's journal. */
export const teamFold: EntryFold<TeamPast> = {
  version: `team-2 ${mailFold.version}`,
  empty: () => ({ board: emptyTaskBoard(), asks: new Map(), mail: mailFold.empty(), end: null, lastFact: 0 }),
  apply(past, entry) {
    if (entry.type !== 'journal.opened') past.lastFact = entry.seq
    if (entry.type === 'team.ended') past.end = entry
    else if (entry.type === 'team.reopened') past.end = null
    else if (entry.type === 'mail.received' && lifeAskIn(entry.envelope) === null)
      past.asks.set(entry.envelope.id, entry.envelope)
    mailFold.apply(past.mail, entry)
    applyTaskBoard(past.board, { owner: leaderName, entry })
    if ('mail_id' in entry && entry.mail_id !== undefined && past.board.answers.has(entry.mail_id))
      past.asks.delete(entry.mail_id)
  },
}

/**
 * Opens the journal of a team as its one owner; see {@link openOwned}.
 * @example const { journal, state } = openTeamJournal({ run, clock }, clock.mint())
 */
export function openTeamJournal(
  place: { readonly run: RunDirectory; readonly clock: Pick<Clock, 'now'> },
  incarnation: string,
): OwnedJournal<TeamPast> {
  return openOwned(place, { owner: leaderName, incarnation }, teamFold)
}
