import { describe, expect, test } from 'vitest'
import { coordinatorTools, mayDelegate, roundsOf, toolAbsence } from '../../../src/rules/team/coordinator-tools.ts'

const plan = ['Delegate', 'SendMessage', 'AskUser', 'Wait']
const all = ['Delegate', 'SendMessage', 'AskUser', 'StopWorker', 'Wait']
const after = [...plan, 'Answer']
const states = ['planning', 'waiting', 'gathering', 'synthesising', 'answered'] as const
const enforced = { partition: 'enforced', domain: ['Read'] } as const
const relaxed = { partition: 'relaxed', domain: ['Read', 'SendMessage'] } as const

describe('coordinatorTools', () => {
  test('enforced: by state, never a domain tool', () => {
    const held = states.map((state) => coordinatorTools({ state, rounds: 1 }, enforced))
    expect(held).toEqual([plan, plan, all, after, all])
  })

  test('relaxed: adds the domain tools once, everywhere', () => {
    const held = states.map((state) => coordinatorTools({ state, rounds: 1 }, relaxed))
    expect(held).toEqual([plan, plan, all, after, all].map((tools) => [...tools, 'Read']))
  })

  test('when no round is left nothing is delegated but in the round that goes on, and then only AskUser and Answer are held', () => {
    const held = states.map((state) =>
      coordinatorTools({ state, rounds: 0 }, { ...enforced, board: true, advised: true }),
    )
    const more = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList', 'Advisor']
    expect(held).toEqual([
      ['SendMessage', 'AskUser', 'Wait', ...more],
      ['SendMessage', 'AskUser', 'Wait', ...more],
      [...all, ...more],
      ['AskUser', 'Answer'],
      ['SendMessage', 'AskUser', 'StopWorker', 'Wait', ...more],
    ])
    expect(coordinatorTools({ state: 'synthesising', rounds: 0 }, relaxed)).toEqual([
      'AskUser',
      'Answer',
      'Read',
      'SendMessage',
    ])
    expect(states.filter((state) => mayDelegate({ state, rounds: 0 }))).toEqual(['gathering'])
  })
})

test('a task board adds its tools wherever there are any', () => {
  const board = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']
  const held = states.map((state) => coordinatorTools({ state, rounds: 1 }, { ...enforced, board: true }))
  expect(held).toEqual([plan, plan, all, after, all].map((tools) => [...tools, ...board]))
})

test('there are five rounds unless the team file says otherwise', () => {
  expect([roundsOf({}), roundsOf({ rounds: 2 })]).toEqual([5, 2])
})

describe('toolAbsence names the way out', () => {
  const over =
    'the last round of requests is over (coordinator.gather.rounds). Answer from the results that there are and say what is missing, or ask your user with AskUser.'
  test.each([
    [
      'planning',
      1,
      'StopWorker',
      'StopWorker is not available while planning: no request is outstanding. Delegate, or end your turn with your answer.',
    ],
    ['synthesising', 0, 'Delegate', `Delegate is not available: ${over}`],
    ['planning', 0, 'Delegate', `Delegate is not available: ${over}`],
    ['synthesising', 0, 'SendMessage', `SendMessage is not available: ${over}`],
    ['synthesising', 0, 'TaskDone', `TaskDone is not available: ${over}`],
    ['synthesising', 0, 'Advisor', `Advisor is not available: ${over}`],
    ['planning', 1, 'Advisor', 'There is no advisor: decide yourself.'],
    [
      'synthesising',
      1,
      'Read',
      'Read is not a coordination tool: delegate the work to a worker that has it (ana, bo).',
    ],
    ['synthesising', 0, 'Read', `Read is not a coordination tool: only workers hold it (ana, bo), and ${over}`],
    [
      'planning',
      1,
      'Bash',
      'Bash is not a coordination tool: no worker of this team has it either. Do without, and say so in your answer.',
    ],
    [
      'planning',
      1,
      'TaskClaim',
      'TaskClaim needs a task board, and this team has none (tasks in the team file): keep the list yourself, or delegate.',
    ],
    ['gathering', 1, 'Answer', 'Answer is for the end of a round: what you say when you end your turn is your answer.'],
    ['answered', 1, 'SendMessage', 'SendMessage is not available while answered.'],
  ] as const)('%s with %i rounds left, %s', (state, rounds, tool, sentence) => {
    expect(toolAbsence({ state, rounds }, tool, tool === 'Bash' ? [] : ['ana', 'bo'])).toBe(sentence)
  })
})
