import { applyTaskBoard, emptyTaskBoard } from '../../projections/team/task-board.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { broadcast } from '../actors/broadcast.ts'
import { followJournals } from '../journals/journal-follower.ts'
import type { RunContext } from '../context/run-context.ts'
import { taskAnswers, type TaskAnswers } from '../reach/task-answers.ts'

/** The task board in a process that does not lead the run. */
export interface FollowedBoard {
  readonly answers: TaskAnswers
  close(): void
}

/** Reads the board, and what is answered to its asks, in the journal that the leader writes; null for a team without one. */
export function followBoard(
  { team, run }: Pick<RunContext, 'team' | 'run'>,
  warn: (code: string, message: string) => void,
): FollowedBoard | null {
  if (!team.tasks) return null
  const news = broadcast<Recorded>()
  const board = emptyTaskBoard()
  const answers = taskAnswers(board, news)
  const heard = (recorded: Recorded): void => {
    applyTaskBoard(board, recorded)
    news.publish(recorded)
  }
  const follower = followJournals(run, { heard, warn })
  follower.follow(leaderName)
  follower.catchUp()
  return { answers, close: follower.close }
}
