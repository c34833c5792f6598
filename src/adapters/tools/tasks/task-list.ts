import { z } from 'zod'
import { taskStates, type BoardTask } from '../../../protocol/work/task.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { noBoard } from './board-of.ts'

/** Shows the board. */
export const taskList = defineTool({
  name: 'TaskList',
  description: promptText('task-list'),
  input: z.strictObject({
    state: z.enum(taskStates).optional().describe('Only tasks in this state.'),
    id: z.number().int().positive().optional().describe('Only this task, with its whole description.'),
  }),
  effect: 'team',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  check: (_input, context) => noBoard(context),
  async run({ state, id }, context) {
    const tasks = context.team?.tasks?.list() ?? []
    const wanted = tasks.filter((each) => (!state || each.state === state) && (!id || each.task === id))
    if (id !== undefined) {
      const [task] = wanted
      return task ? answer(`${lineOf(task)}${whole(task)}`) : complaint(`There is no task ${id} in the list.`)
    }
    return answer(wanted.length === 0 ? 'There are no such tasks.' : wanted.map(lineOf).join('\n'))
  },
})

function lineOf({ task, state, by, blocked_by, subject, reason }: BoardTask): string {
  const who = by === null ? '' : ` by ${by}`
  const after = state === 'blocked' ? ` after ${blocked_by.join(', ')}` : ''
  const why = reason === undefined ? '' : ` (${reason})`
  return `${task} ${state}${who}${after}: ${subject}${why}`
}

function whole({ description, evidence }: BoardTask): string {
  const shown = evidence.length === 0 ? '' : `\n\nEvidence: ${JSON.stringify(evidence)}`
  return `${description === undefined ? '' : `\n\n${description}`}${shown}`
}
