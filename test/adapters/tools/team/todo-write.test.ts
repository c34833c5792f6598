import { expect, test } from 'vitest'
import { todoWrite } from '../../../../src/adapters/tools/team/todo-write.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()

test('shows the list as it was given', async () => {
  const todos = [
    { content: 'Read the code', status: 'completed' },
    { content: 'Run the tests', status: 'in_progress', activeForm: 'Running the tests' },
    { content: 'Report', status: 'pending' },
  ]
  expect((await shop.call(todoWrite, { todos })).text).toBe('[x] Read the code\n[>] Run the tests\n[ ] Report')
  expect((await shop.call(todoWrite, { todos: [] })).text).toBe('The list is empty.')
})

test('two steps at once are refused', async () => {
  const step = { content: 'Run', status: 'in_progress' }
  expect(await shop.call(todoWrite, { todos: [step, step] })).toMatchObject({ isError: true })
})

test('a wrong status is refused by its place', async () => {
  const { text } = await shop.call(todoWrite, { todos: [{ content: 'Run', status: 'done' }] })
  expect(text).toContain('todos[0].status')
})
