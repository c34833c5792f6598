import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Approver } from '../../../src/protocol/port.ts'
import { asItIs, clarifiedTask, clarifyQuestion } from '../../../src/runtime/run/clarify-task.ts'
import { VagueTask } from '../../../src/runtime/run/vague-task.ts'
import { play } from '../support/stage.ts'

const team = { name: 'duo', coordinator: 'lead', clarify: true }
const { signal } = new AbortController()

/** A person who answers questions with these words; null is no answer. */
function person(words: string | null) {
  const asked: string[] = []
  const approver: Approver = {
    answer: () => Promise.reject(new Error('nothing needs a permission')),
    async ask({ member, question }) {
      asked.push(`${member}: ${question}`)
      return words
    },
  }
  return { asked, approver }
}

test('a vague task is asked about, and the answer goes with it', async () => {
  const { asked, approver } = person(' The login. ')
  expect(await clarifiedTask(team, 'Fix it.\n', { approver, signal })).toBe('Fix it.\n\nThe login.')
  expect(asked).toEqual([`lead: ${clarifyQuestion}`])
  for (const enough of ['', asItIs])
    expect(await clarifiedTask(team, 'Fix it.', { ...person(enough), signal })).toBe('Fix it.')
})

test('where nobody answers nothing begins', async () => {
  await expect(clarifiedTask(team, 'Fix it.', { signal })).rejects.toThrow(VagueTask)
  await expect(clarifiedTask(team, 'Fix it.', { ...person(null), signal })).rejects.toThrow(
    'the task "Fix it." says too little',
  )
})

test('a clear task, and a team that does not want it, are let through', async () => {
  expect(await clarifiedTask(team, 'Fix the login.', { signal })).toBe('Fix the login.')
  expect(await clarifiedTask({ name: 'duo', coordinator: 'lead' }, 'Fix it.', { signal })).toBe('Fix it.')
})

const duo = {
  name: 'duo',
  clarify: true,
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.' } },
}
const script = { lead: { steps: [{ expect: 'The login.', say: 'Fixed.' }] }, ana: { steps: [] } }

test('the library asks whoever approves its run, and the run keeps the task with the answer', async () => {
  const { asked, approver } = person('The login.')
  const { run, result } = await play(duo, script, { task: 'Fix it.', approver })
  expect(await result).toMatchObject({ status: 'completed', result: 'Fixed.' })
  expect(asked).toHaveLength(1)
  expect(JSON.parse(readFileSync(join(run.dir, 'run.json'), 'utf8'))).toMatchObject({ task: 'Fix it.\n\nThe login.' })
})

test('a run that is aborted while its person thinks ends as aborted', async () => {
  const asked = Promise.withResolvers<void>()
  const approver: Approver = {
    answer: () => Promise.reject(new Error('nothing needs a permission')),
    ask: (_, given) =>
      new Promise((_resolve, reject) => {
        given.addEventListener('abort', () => reject(given.reason as Error))
        asked.resolve()
      }),
  }
  const { run, result } = await play(duo, script, { task: 'Fix it.', approver })
  await asked.promise
  run.abort()
  expect(await result).toMatchObject({ status: 'aborted' })
})

test('without an approver the run never was', async () => {
  const { cwd, result } = await play(duo, script, { task: 'Fix it.' })
  await expect(result).rejects.toThrow(VagueTask)
  expect(readdirSync(join(cwd, '.troupe', 'runs'))).toEqual([])
})
