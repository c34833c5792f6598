import { expect, test } from 'vitest'
import { isTaken, takenPath } from '../../../src/projections/moment/taken-path.ts'
import { pathsOf, type ChartStep } from '../../../src/protocol/words/chart.ts'

function step(to: unknown, at: number, event: string, actor = 'agent'): ChartStep {
  return { actor, chart: 'agent', event, to, entry: `ana-${at}`, at }
}

test('a state has a path, and so have those around it', () => {
  expect(pathsOf({ thinking: { parked: 'waiting' } })).toEqual([
    'thinking',
    'thinking.parked',
    'thinking.parked.waiting',
  ])
  expect([pathsOf('done'), pathsOf(undefined)]).toEqual([['done'], []])
})

test('time in a state is the time until the next step of the same machine; the latest lasts', () => {
  const path = takenPath(
    [
      step({ thinking: 'asking' }, 100, 'xstate.done.actor.intake'),
      step({ acting: 'running' }, 300, 'xstate.done.actor.ask'),
      step({ thinking: 'asking' }, 350, 'xstate.done.actor.0'),
    ],
    1_000,
  )
  expect([...path.current]).toEqual(['thinking', 'thinking.asking'])
  expect(Object.fromEntries(path.times)).toEqual({
    thinking: { visits: 2, ms: 850 },
    'thinking.asking': { visits: 2, ms: 850 },
    acting: { visits: 1, ms: 50 },
    'acting.running': { visits: 1, ms: 50 },
  })
  expect(path.steps.map(({ event, state, ms }) => [event, state, ms])).toEqual([
    ['intake answers', 'thinking.asking', 200],
    ['ask answers', 'acting.running', 50],
    ['call 1 ends', 'thinking.asking', null],
  ])
})

test('an arrow out of a group is taken from each state in it, and no other one is', () => {
  const path = takenPath([step({ thinking: 'asking' }, 1, 'a'), step('done', 2, 'abort')], 3)
  const arrow = (from: string, to: string) => isTaken(path, { from, to, events: ['abort'] })
  expect(arrow('thinking', 'done')).toBe(true)
  expect(arrow('thinking.asking', 'done')).toBe(true)
  expect([arrow('acting', 'done'), arrow('thinking', 'acting.running'), arrow('think', 'done')]).toEqual([
    false,
    false,
    false,
  ])
})

test('machines of one chart that ended do not stand in their last state for ever', () => {
  const path = takenPath([step('closed', 10, 'a', '0'), step('open', 20, 'b', '1')], 100)
  expect(Object.fromEntries(path.times)).toEqual({ closed: { visits: 1, ms: 0 }, open: { visits: 1, ms: 80 } })
})
