import type { UnhashedTeam } from '../protocol/team-card.ts'
import { didYouMean } from './did-you-mean.ts'
import type { TeamProblem } from './team-problem.ts'

/** A substitute that is nobody could only be found out when somebody has failed already. */
export function gatherProblems({ gather, members }: UnhashedTeam): readonly TeamProblem[] {
  const { substitute } = gather
  const workers = members.flatMap(({ name, card, role }) => (role === 'worker' ? [name, card] : []))
  if (substitute === undefined || workers.includes(substitute)) return []
  const meant = didYouMean(substitute, workers)
  const hint = meant === undefined ? `there are ${[...new Set(workers)].join(', ')}` : `did you mean ${meant}?`
  const path = ['coordinator', 'gather', 'on_failure', 'substitute']
  return [{ severity: 'error', code: 'unknown_substitute', message: `no worker is called "${substitute}"`, path, hint }]
}
