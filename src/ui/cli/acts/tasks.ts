import type { BoardTask } from '../../../protocol/task.ts'
import { readTasks } from '../../../runtime/tasks/read-tasks.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'
import { runDirectoryOf, type RunChoice } from '../run-choice.ts'
import { table } from '../table.ts'

/** Prints the task board of a run. */
export async function tasks(run: string | undefined, options: RunChoice, host: Host): Promise<ExitCode> {
  const found = readTasks(runDirectoryOf(run, options, host))
  if (options.json) await print(host.stdout, `${JSON.stringify(found, null, 2)}\n`)
  else if (found.length > 0)
    await print(host.stdout, table(['TASK', 'STATE', 'BY', 'AFTER', 'SUBJECT', 'NOTE'], found.map(row)))
  else await print(host.stderr, 'This run has no tasks.\n')
  return exitCodes.done
}

function row({ task, state, by, blocked_by, subject, reason, confirmed_by }: BoardTask): readonly string[] {
  const note = confirmed_by === undefined ? reason : `confirmed by ${confirmed_by}`
  return [String(task), state, by ?? '', blocked_by.join(', '), subject, note ?? '']
}
