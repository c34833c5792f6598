import { expect, test } from 'vitest'
import { clarifiedTask, clarifyQuestion, VagueTask } from '../../../src/runtime/run/clarify-task.ts'

const team = { name: 'duo', clarify: true }

test('a vague task is asked about, and the answer goes with it', async () => {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return ' The login. '
  }
  expect(await clarifiedTask(team, 'Fix it.\n', ask)).toBe('Fix it.\n\nThe login.')
  expect(asked).toEqual([clarifyQuestion])
  expect(await clarifiedTask(team, 'Fix it.', async () => '')).toBe('Fix it.')
})

test('where nobody can answer nothing begins', async () => {
  await expect(clarifiedTask(team, 'Fix it.', null)).rejects.toThrow(VagueTask)
  await expect(clarifiedTask(team, 'Fix it.', null)).rejects.toThrow('the task "Fix it." says too little')
})

test('a clear task, and a team that does not want it, are let through', async () => {
  expect(await clarifiedTask(team, 'Fix the login.', null)).toBe('Fix the login.')
  expect(await clarifiedTask({ name: 'duo' }, 'Fix it.', null)).toBe('Fix it.')
})
