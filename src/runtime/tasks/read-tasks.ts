import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { applyTaskBoard, emptyTaskBoard } from '../../projections/team/task-board.ts'
import { applyTodos, type Todos } from '../../projections/member/arranged.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { BoardTask } from '../../protocol/work/task.ts'
import type { Todo } from '../../protocol/work/todo.ts'
import { todoText } from '../../rules/prompt/todo-text.ts'
import { journalFile, recordOfRun } from '../runs/read-runs.ts'

/**
 * The task board of a run, oldest task first, as the team's journal tells it; empty where there is none.
 *
 * @param dir the run directory
 * @example readTasks(dir).filter(({ state }) => state === 'claimed')
 */
export function readTasks(dir: string): readonly BoardTask[] {
  const board = emptyTaskBoard()
  const { entries } = readJournal(journalFile(dir, leaderName))
  for (const entry of entries) applyTaskBoard(board, { owner: leaderName, entry })
  return [...board.tasks.values()]
}

/** A step on the todo list of a member. */
export interface MemberTodo extends Todo {
  readonly member: string
}

/**
 * The todo lists of a run's members, as their journals tell them.
 *
 * @param dir the run directory
 * @example readTodos(dir).filter(({ status }) => status === 'in_progress')
 */
export function readTodos(dir: string): readonly MemberTodo[] {
  const todos: Todos = new Map()
  for (const recorded of recordOfRun(dir).recorded) applyTodos(todos, recorded)
  return [...todos].flatMap(([member, list]) => list.map((todo) => ({ member, ...todo })))
}

/** The todo list of one member in lines; empty where it has none. @param dir the run directory */
export function todoLines(dir: string, member: string): string {
  return todoText(readTodos(dir).filter((todo) => todo.member === member))
}
