import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Ring } from '../../../../src/adapters/mailbox/watch/doorbell.ts'
import { openRushes } from '../../../../src/adapters/mailbox/watch/rush.ts'

/** A box whose looks find what the test says, then nothing. */
function rushedBox(finds: number[], left = 0) {
  const said: string[] = []
  const later: (() => void)[] = []
  const resumed = Promise.withResolvers<void>()
  const rushes = openRushes(
    {
      pause: (folder) => void said.push(`pause ${folder}`),
      resume(folder) {
        said.push(`resume ${folder}`)
        resumed.resolve()
      },
    },
    {
      set(act, ms) {
        const timer = () => {
          if (ms > 1) said.push(`after ${ms}`)
          act()
        }
        // Looks within the rush go on by themselves.
        if (ms === 1) queueMicrotask(timer)
        else later.push(timer)
      },
      clear: () => undefined,
    },
  )
  const ring: Ring = { priority: 'normal' }
  let found = 0
  const look = () => {
    found = finds.shift() ?? 0
    if (found === 0) return null
    said.push('found')
    return ring
  }
  const box = { look, lookAt: look, lookIfChanged: look, last: () => ({ found, left }) }
  return { said, later, resumed: resumed.promise, rushes, rushed: { box, announce: () => undefined } }
}

const afterwards = [2, 5, 10, 20, 50, 100].map((ms) => `after ${ms}`)

test('a rush looks instead of listening until nothing comes, listens again and looks for what fell between', async () => {
  const { said, later, resumed, rushes, rushed } = rushedBox([9, 0, 9, 0])
  rushes.begin('new', rushed)
  rushes.begin('new', rushed)
  await resumed
  expect(said).toEqual(['pause new', 'found', 'found', 'resume new'])
  for (const look of later) look()
  expect(said.slice(4)).toEqual(afterwards)
})

test('when only a mail now and then comes it is listened to again', async () => {
  const { said, resumed, rushes, rushed } = rushedBox(Array.from({ length: 1_000 }, () => 1))
  rushes.begin('new', rushed)
  await resumed
  expect(said).toEqual(['pause new', ...Array.from({ length: 50 }, () => 'found'), 'resume new'])
})

test('a box that nobody empties is listened to', async () => {
  const { said, resumed, rushes, rushed } = rushedBox([9, 9, 9], 1_000)
  rushes.begin('new', rushed)
  await resumed
  expect(said).toEqual(['pause new', 'found', 'resume new'])
})

test('nothing is looked for once it was stopped', async () => {
  const { said, later, resumed, rushes, rushed } = rushedBox([0])
  rushes.begin('new', rushed)
  await resumed
  rushes.stop()
  for (const look of later) look()
  rushes.begin('new', rushed)
  expect(said).toEqual(['pause new', 'resume new', ...afterwards])

  const other = rushedBox([9])
  other.rushes.begin('new', other.rushed)
  other.rushes.stop()
  await setImmediate()
  expect(other.said).toEqual(['pause new'])
})
