import { basename } from 'node:path'
import type { JournalProblem } from '../../adapters/sessions/entry-line.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

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
