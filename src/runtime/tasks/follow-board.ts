import { emptyTaskBoard } from '../../projections/task-board.ts'
import type { Recorded } from '../../protocol/entry.ts'
import { leaderName } from '../../protocol/ids.ts'
import { broadcast } from '../broadcast.ts'
import { followJournals } from '../journal-follower.ts'
import type { TeamScene } from '../team-scene.ts'
import { taskAnswers, type TaskAnswers } from './task-answers.ts'

/** The task board in a process that does not lead the run. */
export interface FollowedBoard {
  readonly answers: TaskAnswers
  close(): void
}

/** Reads the board, and what is answered to its asks, in the journal that the leader writes; null for a team without one. */
export function followBoard(
  { team, run }: Pick<TeamScene, 'team' | 'run'>,
  warn: (code: string, message: string) => void,
): FollowedBoard | null {
  if (!team.tasks) return null
  const news = broadcast<Recorded>()
  const answers = taskAnswers(emptyTaskBoard(), news)
  const follower = followJournals(run, { heard: news.publish, warn })
  follower.follow(leaderName)
  follower.catchUp()
  return { answers, close: follower.close }
}
