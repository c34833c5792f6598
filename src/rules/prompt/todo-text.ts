import type { Todo } from '../../protocol/work/todo.ts'

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

/** A todo list in lines. @example todoText([{ content: 'Run the tests', status: 'pending' }]) // '[ ] Run the tests' */
export function todoText(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `${marks[status]} ${content}`).join('\n')
}

/** An agent's own arrangements that still hold, for its conversation when that is made shorter. */
export function ownStanding({
  todos,
  plan,
}: {
  readonly todos: readonly Todo[]
  readonly plan: string | null
}): string[] {
  const isOpen = todos.some(({ status }) => status !== 'completed')
  return [
    ...(plan === null ? [] : [`Your approved plan:\n${plan}`]),
    ...(isOpen ? [`Your todo list:\n${todoText(todos)}`] : []),
  ]
}
