import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'

/** The part of a journal that the ledger needs: frames the facts and writes them before it returns. */
export interface FactLog {
  append(facts: readonly Fact[]): readonly Entry[]
  close(): void
}

/**
 * Owns one journal's way into the world: journal first, then the owner's folds, then everyone else.
 * 1. Nobody sees a fact that is not written. 2. A fold hears the same entries that a restart would read.
 * It never decides what is recorded.
 */
export interface Ledger {
  readonly owner: string
  record(facts: readonly Fact[]): void
  close(): void
}

/** Parts of a ledger; `earlier` are the entries of a journal that is continued. */
export interface LedgerOptions {
  readonly owner: string
  readonly log: FactLog
  readonly earlier?: readonly Entry[]
  readonly folds: readonly ((entry: Entry) => void)[]
  readonly publish: (recorded: Recorded) => void
}

export function openLedger({ owner, log, earlier = [], folds, publish }: LedgerOptions): Ledger {
  const foldAll = (entries: readonly Entry[]): void => {
    for (const entry of entries) for (const fold of folds) fold(entry)
  }
  foldAll(earlier)
  return {
    owner,
    record(facts) {
      if (facts.length === 0) return
      const entries = log.append(facts)
      foldAll(entries)
      for (const entry of entries) publish({ owner, entry })
    },
    close: () => log.close(),
  }
}
