import { acquireLease, type LeaseStep } from '../../adapters/lease/lease.ts'
import type { OpenedJournal } from '../../adapters/sessions/journal.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { closingOnError } from '../actors/closing-on-error.ts'
import type { Clock } from '../actors/clock.ts'

/** The owner of a journal, and the owner's present life. */
export interface Claim {
  readonly owner: string
  readonly incarnation: string
  readonly step?: (name: LeaseStep) => void
}

type Place = { readonly run: RunDirectory; readonly clock: Pick<Clock, 'now'> }

/**
 * Opens a journal as its one owner: the lease comes first, because opening already mends what a kill left behind.
 * Nothing is appended once a later owner has come; closing gives the lease up.
 *
 * @throws LeaseHeld with the process that owns it; what the disk says
 * @example const { journal, entries, problems } = openOwned({ run, clock }, { owner: 'lead', incarnation: clock.mint() })
 */
export function openOwned({ run, clock }: Place, claim: Claim): OpenedJournal {
  const { owner } = claim
  const { now } = clock
  const { incarnation, step } = claim
  const lease = acquireLease({ dir: run.lease, name: owner, incarnation, now, ...(step ? { step } : {}) })
  // Only the journal is held on to: what it said is much, and belongs to the caller.
  const { journal, ...said } = closingOnError(
    () => lease.release(),
    () => run.openJournal(owner, now),
  )
  return {
    ...said,
    journal: {
      ...journal,
      append(facts) {
        lease.check()
        return journal.append(facts)
      },
      close() {
        journal.close()
        lease.release()
      },
    },
  }
}
