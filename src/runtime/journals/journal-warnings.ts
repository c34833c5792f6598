import type { JournalProblem } from '../../adapters/sessions/entry-line.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

/** What was found unreadable in a journal, as facts for whoever watches the run. */
export function journalWarnings(
  owner: string,
  problems: readonly JournalProblem[],
): readonly FactOf<'warning.raised'>[] {
  return problems.map(({ line, code, message }) => ({
    type: 'warning.raised',
    code: `journal_${code}`,
    message: `line ${line} of the journal of ${owner} ${message}`,
  }))
}
