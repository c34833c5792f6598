import { eventfulRun } from '../../projections/moment/eventful-run.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { StagedRun } from '../../ui/tui/support/staged-run.ts'

/** Tells a staged run the facts of a run in which much happens, up to its end. */
export function tellMuch({ tell }: StagedRun): void {
  for (const { owner, entry } of eventfulRun) {
    const { v: _v, seq: _seq, id: _id, parent: _parent, at: _at, ...fact } = entry
    if (fact.type !== 'journal.opened') tell(owner, fact as Fact)
  }
}
