import { z } from 'zod'
import { taskIdSchema } from '../../../protocol/task.ts'
import { defineTool } from '../define-tool.ts'
import { askBoard, noBoard } from './board-of.ts'

/** Takes a task from the board. */
export const taskClaim = defineTool({
  name: 'TaskClaim',
  description: [
    'Claims an open task of the board for you: nobody else works on it while you hold it. Claim before you begin, one task',
    'at a time. A claim ends by itself after a while; claiming again what you hold renews it.',
  ].join('\n'),
  input: z.strictObject({ id: taskIdSchema.describe('The number of the task.') }),
  effect: 'team',
  isDestructive: () => false,
  timeout: null,
  interrupt: 'cancel',
  check: (_input, context) => noBoard(context),
  run: ({ id }, context) => askBoard({ ask: 'claim', task: id }, context, ({ task }) => `Task ${task} is yours.`),
})
