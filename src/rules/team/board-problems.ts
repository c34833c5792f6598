import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { EvidenceKind } from '../../protocol/work/task.ts'
import type { TeamProblem } from './team-problem.ts'

/** A board that wants evidence which nobody can give: its members would only learn so from one refusal after the other. */
export function boardProblems({ tasks, members }: UnhashedTeam): readonly TeamProblem[] {
  if (!tasks || tasks.evidence.length === 0) return []
  const isGiven: Readonly<Record<EvidenceKind, boolean>> = {
    // The coordinator has the tools of the board by itself.
    command: members.some(
      ({ role, tools }) => tools.includes('Bash') && (role === 'coordinator' || tools.includes('TaskDone')),
    ),
    file: true,
    check: Object.keys(tasks.checks).length > 0,
  }
  if (tasks.evidence.some((kind) => isGiven[kind])) return []
  const message = `the board wants ${tasks.evidence.join(' or ')} as evidence, which nobody can give: no task could ever be done`
  const hint = tasks.evidence.map((kind) => cures[kind]).join(', or ')
  return [{ severity: 'error', code: 'unprovable_tasks', message, path: ['tasks', 'evidence'], hint }]
}

const cures: Readonly<Record<EvidenceKind, string>> = {
  command: 'give Bash to a worker with TaskDone',
  file: 'give a file',
  check: 'declare a check in `tasks.checks`',
}
