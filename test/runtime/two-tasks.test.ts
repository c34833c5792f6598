import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../src/protocol/conversation/message.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { conversationOf } from '../../src/rules/conversation/context-window.ts'
import { factsOf, play } from './support/stage.ts'

const worker = { description: 'Counts.', prompt: 'You count.' }
const team = (more: object = {}) => ({
  name: 'orchard',
  coordinator: { prompt: 'You lead.', ...more },
  workers: { ana: { ...worker, tools: ['Bash'] }, bo: worker },
})
const delegation = (...subtasks: readonly object[]) => ({ calls: [{ tool: 'Delegate', input: { subtasks } }] })
const task = (who: string, what: string, more: object = {}) => ({ worker: who, task: what, ...more })
const unasked = { mode: 'bypassPermissions', allowBypass: true } as const

test('a worker that is given two tasks at once does one after the other, each with its own answer', async () => {
  const { recorded, result } = await play(team(), {
    lead: {
      steps: [
        delegation(task('ana', 'Count apples.'), task('ana', 'Count pears.')),
        { say: 'Both.', expect: ['Evidence: no tool was used'] },
      ],
    },
    ana: {
      steps: [
        { say: 'five apples', expect: 'Count apples.' },
        { say: 'six pears', expect: 'Count pears.' },
      ],
    },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Both.' })
  expect(resultsOf(recorded)).toEqual([
    ['r1', 'done', 'five apples'],
    ['r2', 'done', 'six pears'],
  ])
  expect(told(recorded, 'ana')).toEqual(['Count apples.', 'five apples', 'Count pears.', 'six pears'])
  expect(factsOf(recorded, 'ana').filter((type) => type === 'agent.started')).toHaveLength(2)
  expect(factsOf(recorded, 'ana').filter((type) => type === 'model.requested')).toHaveLength(2)
})

test('a task that comes while another is worked on waits for its turn, with its own evidence', async () => {
  const { cwd, run, recorded, result } = await play(
    team({ gather: { wait: 'progressive' } }),
    {
      lead: {
        steps: [
          delegation(task('ana', 'Count apples.'), task('bo', 'Count nuts.')),
          { ...delegation(task('ana', 'Count pears.')), expect: 'seven nuts' },
          { say: 'I wait.', expect: ['five apples', 'Bash 1'] },
          { say: 'All.', expect: ['six pears', 'no tool was used'] },
        ],
      },
      ana: {
        steps: [
          { calls: [{ tool: 'Bash', input: { command: 'while [ ! -e go ]; do sleep 0.02; done' } }] },
          { say: 'five apples' },
          { say: 'six pears' },
        ],
      },
      bo: { steps: [{ say: 'seven nuts' }] },
    },
    unasked,
  )
  run.subscribe(({ entry }) => {
    if (entry.type === 'request.opened' && entry.request === 'r3') writeFileSync(join(cwd, 'go'), '')
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'All.' })
  expect(resultsOf(recorded).filter(([request]) => request !== 'r2')).toEqual([
    ['r1', 'done', 'five apples'],
    ['r3', 'done', 'six pears'],
  ])
  expect(told(recorded, 'ana').filter((text) => text !== '')).toEqual([
    'Count apples.',
    'five apples',
    'Count pears.',
    'six pears',
  ])
})

test('a task that fails takes nothing from the one that waits', async () => {
  const { recorded, result } = await play(team({ gather: { on_failure: { retry: 0 } } }), {
    lead: {
      steps: [
        delegation(task('ana', 'Count apples.', { returns: { type: 'number' } }), task('ana', 'Count pears.')),
        { say: 'Half.', expect: ['broken_contract', 'six pears'] },
      ],
    },
    ana: { steps: [{ say: 'many' }, { say: 'really many' }, { say: 'six pears', expect: 'Count pears.' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Half.' })
  expect(resultsOf(recorded)).toMatchObject([
    ['r1', 'failed', expect.stringContaining('broken_contract')],
    ['r2', 'done', 'six pears'],
  ])
})

test('a task that is called off before its turn is never shown', async () => {
  const { cwd, run, recorded, result } = await play(
    team(),
    {
      lead: {
        steps: [
          delegation(task('ana', 'Count apples.'), task('ana', 'Count pears.', { deadline: '1s' })),
          { say: 'Apples.', expect: 'five apples' },
        ],
      },
      ana: {
        steps: [
          { calls: [{ tool: 'Bash', input: { command: 'while [ ! -e go ]; do sleep 0.02; done' } }] },
          { say: 'five apples' },
        ],
      },
    },
    unasked,
  )
  run.subscribe(({ owner, entry }) => {
    const isRecall = owner === 'lead' && entry.type === 'mail.sent' && entry.envelope.kind === 'control'
    if (isRecall) writeFileSync(join(cwd, 'go'), '')
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Apples.' })
  expect(told(recorded, 'ana').join(' ')).not.toMatch(/pears|r2/)
})

/** What came of each request: its status and the text of its worker, in the order of arrival. */
function resultsOf(recorded: readonly Recorded[]) {
  return recorded.flatMap(({ owner, entry }) =>
    owner === 'lead' && entry.type === 'mail.received' && entry.envelope.kind === 'result'
      ? [[entry.envelope.request, entry.envelope.status, entry.envelope.body]]
      : [],
  )
}

/** What a member's model was told and said, in a few words each. */
function told(recorded: readonly Recorded[], member: string): readonly string[] {
  const { messages } = conversationOf(recorded.filter(({ owner }) => owner === member).map(({ entry }) => entry))
  return messages.flatMap((message) =>
    message.role === 'tool'
      ? []
      : [
          textOf(message)
            .replaceAll(/<[^>]*>/g, '')
            .trim(),
        ],
  )
}
