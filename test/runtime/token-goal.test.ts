import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'
import { play, tempDir } from './support/stage.ts'

const wrote = (say: string, output: number): object => ({ say, usage: { input: 1, output } })

function lone(steps: readonly object[], tokenGoal: number) {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'script.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
  return createAgent({ model: 'scripted/script.yaml', cwd, home: cwd, tokenGoal }).run('Write.').result
}

test('an agent short of its goal is told to go on, and ends when it has come near enough', async () => {
  const ended = await lone([wrote('One.', 900), wrote('Two.', 900), wrote('Never.', 900)], 2_000)
  expect(ended).toMatchObject({ reason: 'completed', text: 'Two.', turns: 2 })
})

test('one that adds hardly anything any more is let go', async () => {
  const ended = await lone([wrote('One.', 900), ...['a', 'b', 'c', 'd', 'e'].map((text) => wrote(text, 20))], 90_000)
  expect(ended).toMatchObject({ reason: 'diminishing_returns', text: 'c', turns: 4 })
})

test('a worker with a goal gives its answer when it has nothing more to add', async () => {
  const task = { subtasks: [{ worker: 'writer', task: 'Write much.' }] }
  const team = {
    name: 'pair',
    coordinator: { prompt: 'You lead.' },
    workers: { writer: { description: 'Writes.', prompt: 'You write.', token_goal: 90_000 } },
  }
  const { result } = await play(team, {
    lead: { steps: [{ calls: [{ tool: 'Delegate', input: task }] }, { say: 'It says: {{mail.writer}}' }] },
    writer: { steps: ['a', 'b', 'c', 'd'].map((text) => wrote(text, 20)) },
  })
  expect(await result).toMatchObject({
    status: 'completed',
    result: 'It says: [1 of 4]\na\n\n[2 of 4]\nb\n\n[3 of 4]\nc\n\n[4 of 4]\nd',
  })
})
