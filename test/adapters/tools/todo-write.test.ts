import { expect, test } from 'vitest'
import { todosOf, todoWrite } from '../../../src/adapters/tools/todo-write.ts'
import { workshop } from './workshop.ts'

const shop = workshop()

test('keeps the latest list in the member’s memory and shows it', async () => {
  const context = shop.context()
  expect(todosOf(context.memory)).toEqual([])
  const todos = [
    { content: 'Read the code', status: 'completed' },
    { content: 'Run the tests', status: 'in_progress', activeForm: 'Running the tests' },
    { content: 'Report', status: 'pending' },
  ]
  expect((await shop.call(todoWrite, { todos }, context)).text).toBe('[x] Read the code\n[>] Run the tests\n[ ] Report')
  expect(todosOf(context.memory)).toEqual(todos)
  expect((await shop.call(todoWrite, { todos: [] }, context)).text).toBe('The list is empty.')
  expect(todosOf(context.memory)).toEqual([])
})

test('two steps at once are refused and change nothing', async () => {
  const context = shop.context()
  const step = { content: 'Run', status: 'in_progress' }
  expect(await shop.call(todoWrite, { todos: [step, step] }, context)).toMatchObject({ isError: true })
  expect(context.memory.size).toBe(0)
})

test('a wrong status is refused by its place', async () => {
  const { text } = await shop.call(todoWrite, { todos: [{ content: 'Run', status: 'done' }] })
  expect(text).toContain('todos[0].status')
})
