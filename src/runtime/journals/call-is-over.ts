import { readJournal } from '../../adapters/sessions/read-journal.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { memberName } from '../../protocol/words/ids.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'

/**
 * Whether the call that a question is about has ended, as its member's journal says: a leader that comes later must not
 * ask about it. A call id may come again; only what stands behind the request's own entry counts.
 */
export function callIsOver(run: Pick<RunDirectory, 'journalFile'>, { id, member, call_id }: ApprovalFile): boolean {
  const asked = Number(/-(\d+)-\d+$/.exec(id)?.[1])
  const { entries } = readJournal(run.journalFile(memberName(member)))
  return entries.some(
    (entry) =>
      (entry.type === 'call.finished' || entry.type === 'verify.settled') &&
      entry.call_id === call_id &&
      entry.seq > asked,
  )
}
