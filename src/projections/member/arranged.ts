import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Todo } from '../../protocol/work/todo.ts'

/** The todo lists of a run, by member. */
export type Todos = Map<string, readonly Todo[]>

/** The todo list of a member after an entry of its journal; undefined where the entry says nothing of it. */
export function todosAfter(entry: Entry): readonly Todo[] | undefined {
  if (entry.type === 'member.renewed') return []
  return entry.type === 'todos.changed' || entry.type === 'turns.undone' ? (entry.todos ?? []) : undefined
}

/** The arrangements of an agent with itself. */
export interface Arranged {
  todos: readonly Todo[]
  /** The plan that was approved for the piece of work at hand. */
  plan: string | null
}

/** Takes one entry of the agent's own journal in. */
export function applyArranged(arranged: Arranged, entry: Entry): void {
  arranged.todos = todosAfter(entry) ?? arranged.todos
  if (entry.type === 'plan.approved' || entry.type === 'turns.undone') arranged.plan = entry.plan ?? null
  else if (entry.type === 'plan.entered' || entry.type === 'agent.ended') arranged.plan = null
}

/** Takes one recorded fact into the todo lists. */
export function applyTodos(todos: Todos, { owner, entry }: Recorded): void {
  const list = todosAfter(entry)
  if (list !== undefined) todos.set(owner, list)
}

/** The step at hand and how many are done. @example todoProgress(todos) // '2/5 Running the tests' */
export function todoProgress(todos: readonly Todo[]): string | null {
  const current = todos.find(({ status }) => status === 'in_progress')
  if (current === undefined) return null
  const done = todos.filter(({ status }) => status === 'completed').length
  return `${done}/${todos.length} ${current.activeForm ?? current.content}`
}
