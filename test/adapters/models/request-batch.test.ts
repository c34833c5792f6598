import { setImmediate as nextPass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextBatch } from '../../../src/adapters/models/request-batch.ts'

test('whoever comes in one pass of the event loop goes on in the same moment, in order', async () => {
  const went: string[] = []
  const go = (name: string): Promise<unknown> => nextBatch().then(() => went.push(name))
  const first = go('first')
  // Comes before those that join the batch below, was asked for after it.
  const other = nextPass().then(() => went.push('something else'))
  await Promise.resolve()
  await Promise.all([first, go('second'), other])
  expect(went).toEqual(['first', 'second', 'something else'])
})

test('who comes when a batch has gone goes with the next', async () => {
  const before = nextBatch()
  await before
  const after = nextBatch()
  expect(after).not.toBe(before)
  await after
})
