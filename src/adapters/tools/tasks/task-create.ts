import { z } from 'zod'
import { taskIdSchema } from '../../../protocol/work/task.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { askBoard, noBoard } from './board-of.ts'

/** Puts a task on the board. */
export const taskCreate = defineTool({
  name: 'TaskCreate',
  description: promptText('task-create'),
  input: z.strictObject({
    subject: z.string().min(1).max(200).describe('What is to be done, in a line.'),
    description: z.string().optional().describe('Everything the one who does it needs to know.'),
    blocked_by: z.array(taskIdSchema).max(64).optional().describe('Numbers of the tasks that have to be done before.'),
  }),
  effect: 'team',
  isConcurrencySafe: () => false,
  isDestructive: () => false,
  timeout: null,
  interrupt: 'cancel',
  check: (_input, context) => noBoard(context),
  run: ({ subject, description, blocked_by = [] }, context) => {
    const text = description === undefined ? {} : { description }
    return askBoard({ ask: 'create', subject, ...text, blocked_by }, context, ({ task, state }) =>
      state === 'blocked' ? `Task ${task} is on the board and waits for others.` : `Task ${task} is on the board.`,
    )
  },
})
