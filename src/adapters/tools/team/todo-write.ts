import { z } from 'zod'
import { todoStates } from '../../../protocol/work/todo.ts'
import { todoText } from '../../../rules/prompt/todo-text.ts'
import { answer } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

const todo = z.strictObject({
  content: z.string().min(1).max(500).describe('What is to be done, as an order: "Run the tests".'),
  status: z.enum(todoStates),
  activeForm: z.string().min(1).max(500).optional().describe('The same while it is being done: "Running the tests".'),
})

/** A member's own todo list. The journal has each list whole, so that the list outlives a conversation that is made shorter. */
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
  async run({ todos }, { keepTodos, callId }) {
    keepTodos?.(todos, callId)
    return answer(todos.length === 0 ? 'The list is empty.' : todoText(todos))
  },
})
