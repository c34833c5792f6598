import { basename } from 'node:path'
import type { Entry, EntryFold, Recorded } from '../../protocol/facts/entry.ts'
import type { Fact, FactOf } from '../../protocol/facts/fact.ts'
import type { JournalProblem } from '../../adapters/sessions/entry-line.ts'
import { acquireLease, type LeaseStep } from '../../adapters/lease/lease.ts'
import type { OpenedJournal } from '../../adapters/sessions/journal.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Clock } from '../actors/clock.ts'

/** The part of a journal that the ledger needs: writes and folds the facts before it returns. */
interface FactLog {
  append(facts: readonly Fact[]): readonly Entry[]
  close(): void
}

/**
 * Owns one journal's way into the world: journal and its fold first, then everyone else. Nobody sees a fact that is not
 * written. It never decides what is recorded.
 */
export interface Ledger {
  readonly owner: string
  record(facts: readonly Fact[]): void
  close(): void
}

/** Parts of a ledger. */
export interface LedgerOptions {
  readonly owner: string
  readonly log: FactLog
  readonly publish: (recorded: Recorded) => void
}

export function openLedger({ owner, log, publish }: LedgerOptions): Ledger {
  return {
    owner,
    record(facts) {
      for (const entry of log.append(facts)) publish({ owner, entry })
    },
    close: () => log.close(),
  }
}

/** Unreadable places of a journal, as facts for people that watch the run. */
export function journalWarnings(
  owner: string,
  problems: readonly JournalProblem[],
): readonly FactOf<'warning.raised'>[] {
  return problems.map(({ file, line, code, message }) => ({
    type: 'warning.raised',
    code: `journal_${code}`,
    message: `line ${line} of the journal of ${owner} (${basename(file)}) ${message}`,
  }))
}

/** The owner of a journal, and the owner's present life. */
export interface Claim {
  readonly owner: string
  readonly incarnation: string
  readonly step?: (name: LeaseStep) => void
}

/** A journal with the right to write it. */
export interface OwnedJournal<State> extends OpenedJournal<State> {
  /** @throws LeaseLost once a later owner has come */
  owns(): void
}

type Place = { readonly run: RunDirectory; readonly clock: Pick<Clock, 'now'> }

/**
 * Opens a journal as its one owner: the lease comes first, because opening already mends what a kill left behind.
 * Once a later owner has come, an append throws: it believes nothing that is written here from then on. Closing gives the
 * lease up.
 *
 * @throws LeaseHeld with the process that owns it; what the disk says
 * @example const { journal, state } = openOwned({ run, clock }, { owner: 'lead', incarnation: clock.mint() }, mailFold)
 */
export function openOwned<State>({ run, clock }: Place, claim: Claim, fold: EntryFold<State>): OwnedJournal<State> {
  const { owner } = claim
  const { now } = clock
  const { incarnation, step } = claim
  const lease = acquireLease({ dir: run.lease, name: owner, incarnation, now, ...(step ? { step } : {}) })
  const { journal, ...said } = closingOnError(
    () => lease.release(),
    () => run.openJournal(owner, now, fold),
  )
  return {
    ...said,
    owns: lease.check,
    journal: {
      ...journal,
      append(facts) {
        lease.check()
        const entries = journal.append(facts)
        // Once more: a process that was frozen in between must not act on what its successor has not read.
        lease.check()
        return entries
      },
      close() {
        journal.close()
        lease.release()
      },
    },
  }
}

/** Opens something; what was opened before it is closed again when that fails. */
export function closingOnError<Opened>(close: () => void, open: () => Opened): Opened {
  try {
    return open()
  } catch (error) {
    close()
    throw error
  }
}
