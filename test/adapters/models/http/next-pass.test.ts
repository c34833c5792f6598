import { setImmediate as passOver } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextPass } from '../../../../src/adapters/models/http/next-pass.ts'

test('whoever waits in one pass of the event loop goes on in the same moment, in order', async () => {
  const went: string[] = []
  const go = (name: string): Promise<unknown> => nextPass().then(() => went.push(name))
  const first = go('first')
  // Was there before those that come next, and goes on after them.
  const other = passOver().then(() => went.push('something else'))
  await Promise.resolve()
  await Promise.all([first, go('second'), other])
  expect(went).toEqual(['first', 'second', 'something else'])
})

test('who comes when a pass is over waits for the next', async () => {
  const before = nextPass()
  await before
  const after = nextPass()
  expect(after).not.toBe(before)
  await after
})
