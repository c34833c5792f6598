import type { BoardTask } from '../../../protocol/work/task.ts'
import { evidenceText } from '../../../projections/team/task-board.ts'
import { readTasks } from '../../../runtime/tasks/read-tasks.ts'
import type { ExitCode } from '../host/exit-codes.ts'
import type { Host } from '../host/host.ts'
import { printList } from '../text/table.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'

/** Prints the task board of a run. */
export async function tasks(run: string | undefined, options: RunChoice, host: Host): Promise<ExitCode> {
  const items = readTasks(runDirectoryOf(run, options, host))
  const head = ['TASK', 'STATE', 'BY', 'AFTER', 'SUBJECT', 'NOTE']
  return printList({ items, head, row, none: 'This run has no tasks.' }, options, host)
}

function row({ task, state, by, blocked_by, subject, reason, confirmed_by, evidence }: BoardTask): readonly string[] {
  const why = confirmed_by === undefined ? reason : `confirmed by ${confirmed_by}`
  const note = [...(why === undefined ? [] : [why]), ...evidence.map(evidenceText)].join('; ')
  return [String(task), state, by ?? '', blocked_by.join(', '), subject, note]
}
