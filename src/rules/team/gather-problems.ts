import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import { nameHint, type TeamProblem } from './team-problem.ts'

const path = ['coordinator', 'gather', 'on_failure', 'substitute']

/** A substitute that is nobody, or the only one who may fail, could only be found out when somebody has failed already. */
export function gatherProblems({ gather: { substitute }, members }: UnhashedTeam): readonly TeamProblem[] {
  if (substitute === undefined) return []
  const workers = members.filter(({ role }) => role === 'worker')
  const names = workers.flatMap(({ name, card }) => [name, card])
  if (!names.includes(substitute)) {
    const hint = nameHint(substitute, [...new Set(names)])
    const message = `no worker is called "${substitute}"`
    return [{ severity: 'error', code: 'unknown_substitute', message, path, hint }]
  }
  if (workers.length > 1) return []
  const message = `"${substitute}" is the only worker: nobody stands in when it fails`
  return [{ severity: 'warning', code: 'idle_substitute', message, path, hint: 'add a worker, or leave this out' }]
}
