import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { applyTaskBoard, emptyTaskBoard } from '../../projections/team/task-board.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { BoardTask } from '../../protocol/work/task.ts'
import { journalFile } from '../runs/read-runs.ts'

/**
 * The task board of a run, oldest task first, as the team's journal tells it; empty where there is none.
 *
 * @param dir the run directory
 * @example readTasks(dir).filter(({ state }) => state === 'claimed')
 */
export function readTasks(dir: string): readonly BoardTask[] {
  const board = emptyTaskBoard()
  const { entries } = readJournal(journalFile(dir, leaderName))
  for (const entry of entries) applyTaskBoard(board, { owner: leaderName, entry })
  return [...board.tasks.values()]
}
