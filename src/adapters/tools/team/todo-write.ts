import { z } from 'zod'
import { answer } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

const todo = z.strictObject({
  content: z.string().min(1).describe('What is to be done, as an order: "Run the tests".'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string().min(1).optional().describe('The same while it is being done: "Running the tests".'),
})

/** A member's own list of steps. It is kept where it was written: in the member's conversation. */
export const todoWrite = defineTool({
  name: 'TodoWrite',
  aliases: ['update_plan'],
  description: promptText('todo-write'),
  input: z.strictObject({ todos: z.array(todo).max(100).describe('The whole list, in order.') }),
  effect: 'none',
  isDestructive: () => false,
  check: async (input) =>
    input.todos.filter((entry) => entry.status === 'in_progress').length > 1
      ? 'more than one step is in_progress: work on one at a time.'
      : null,
  async run({ todos }) {
    if (todos.length === 0) return answer('The list is empty.')
    return answer(todos.map((entry) => `${marks[entry.status]} ${entry.content}`).join('\n'))
  },
})
