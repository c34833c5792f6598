import { describe, expect, test } from 'vitest'
import { coordinatorTools, toolAbsence } from '../../../src/rules/team/coordinator-tools.ts'

const plan = ['Delegate', 'SendMessage', 'AskUser']
const all = [...plan, 'StopWorker']
const states = ['planning', 'waiting', 'gathering', 'synthesising', 'answered'] as const

describe('coordinatorTools', () => {
  test('enforced: by state, none while synthesising, never a domain tool', () => {
    const held = states.map((state) => coordinatorTools(state, { partition: 'enforced', domain: ['Read'] }))
    expect(held).toEqual([plan, plan, all, [], all])
  })

  test('relaxed: keeps coordinating while synthesising and adds the domain tools once', () => {
    const card = { partition: 'relaxed', domain: ['Read', 'SendMessage'] } as const
    const held = states.map((state) => coordinatorTools(state, card))
    const more = [...all, 'Read']
    expect(held).toEqual([[...plan, 'Read'], [...plan, 'Read'], more, more, more])
  })
})

test('a task board adds its tools wherever there are any', () => {
  const board = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']
  const held = states.map((state) => coordinatorTools(state, { partition: 'enforced', domain: [], board: true }))
  expect(held).toEqual([[...plan, ...board], [...plan, ...board], [...all, ...board], [], [...all, ...board]])
})

describe('toolAbsence', () => {
  test.each([
    ['planning', 'StopWorker', 'StopWorker is not available while planning: no request is outstanding.'],
    ['synthesising', 'Delegate', 'Delegate is not available while synthesising: the results are in, answer from them.'],
    [
      'synthesising',
      'StopWorker',
      'StopWorker is not available while synthesising: the results are in, answer from them.',
    ],
    ['synthesising', 'Read', 'Read is not a coordination tool: delegate the work to a worker that has it.'],
    ['synthesising', 'AskUser', 'AskUser is not available while synthesising: the results are in, answer from them.'],
    ['planning', 'TaskClaim', 'TaskClaim needs a task board: this team has none.'],
    ['synthesising', 'TaskDone', 'TaskDone is not available while synthesising: the results are in, answer from them.'],
    ['answered', 'Delegate', 'Delegate is not available while answered.'],
  ] as const)('%s, %s', (state, tool, sentence) => {
    expect(toolAbsence(state, tool)).toBe(sentence)
  })
})
