import { z } from 'zod'
import { taskIdSchema } from '../../../protocol/work/task.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { askBoard, noBoard } from './board-of.ts'

/** Takes a task from the board. */
export const taskClaim = defineTool({
  name: 'TaskClaim',
  description: promptText('task-claim'),
  input: z.strictObject({ id: taskIdSchema.describe('The number of the task.') }),
  effect: 'team',
  isDestructive: () => false,
  timeout: null,
  interrupt: 'cancel',
  check: (_input, context) => noBoard(context),
  run: ({ id }, context) => askBoard({ ask: 'claim', task: id }, context, ({ task }) => `Task ${task} is yours.`),
})
