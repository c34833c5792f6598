import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { conversationOf } from '../../rules/conversation/context-window.ts'
import { journalFile } from '../runs/read-runs.ts'

/**
 * The steps that a member has set itself, as it was told them last; empty where it has none.
 *
 * @param dir the run directory
 */
export function readTodos(dir: string, member: string): string {
  return conversationOf(readJournal(journalFile(dir, member)).entries).todos
}
