import { expect, test } from 'vitest'
import { keyframed } from '../../../src/projections/fold/keyframes.ts'
import { momentsOf } from '../../../src/projections/moment/run-moment.ts'
import { eventfulRun } from '../moment/eventful-run.ts'

const moments = momentsOf({ lead: 'lead', members: [{ name: 'lead', model: 'm' }] })

/** The moment after so many facts, folded from the first one. */
function foldedTo(count: number) {
  const state = moments.empty()
  for (const each of eventfulRun.slice(0, count)) moments.apply(state, each)
  return state
}

test('a moment of the past is the same as the fold up to it, in whatever order it is asked for', () => {
  const frames = keyframed(moments, 4)
  for (const each of eventfulRun) frames.take(each)
  const all = eventfulRun.map((_, index) => index + 1)
  for (const count of [...all, ...all.toReversed(), 0, 3, 3, eventfulRun.length])
    expect(frames.at(count)).toEqual(foldedTo(count))
  expect(frames.latest()).toEqual(foldedTo(eventfulRun.length))
})

test('facts that come while the past is looked at leave it as it is', () => {
  const frames = keyframed(moments, 4)
  const half = Math.floor(eventfulRun.length / 2)
  for (const each of eventfulRun.slice(0, half)) frames.take(each)
  const past = frames.at(5)
  for (const each of eventfulRun.slice(half)) frames.take(each)
  expect(past).toEqual(foldedTo(5))
  expect(frames.at(eventfulRun.length + 7)).toEqual(foldedTo(eventfulRun.length))
  expect([frames.count(), frames.fact(5)]).toEqual([eventfulRun.length, eventfulRun[4]])
})

test('a copy of each moment stays as it was', () => {
  const state = moments.empty()
  for (const [index, each] of eventfulRun.entries()) {
    const copy = moments.copy(state)
    moments.apply(state, each)
    expect(copy).toEqual(foldedTo(index))
  }
})

test('copies stand farther apart where there are more facts', () => {
  let copies = 0
  const counted = {
    empty: () => [0],
    apply: (state: number[]) => void (state[0] = (state[0] ?? 0) + 1),
    copy(state: readonly number[]) {
      copies += 1
      return [...state]
    },
  }
  const frames = keyframed(counted, 1)
  const [fact] = eventfulRun
  if (fact === undefined) throw new Error('there is no fact')
  for (let count = 0; count < 10_000; count += 1) frames.take(fact)
  expect(copies).toBeLessThan(400)
  for (const count of [9_999, 17, 5_000, 0]) expect(frames.at(count)).toEqual([count])
})
