import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Ring } from '../../../src/adapters/mailbox/doorbell.ts'
import { openRushes } from '../../../src/adapters/mailbox/rush.ts'

/** A box whose looks find what the test says, then nothing. */
function rushedBox(finds: boolean[], held = 0) {
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
        later.push(() => {
          said.push(`after ${ms}`)
          act()
        })
      },
      clear: () => undefined,
    },
  )
  const ring: Ring = { priority: 'normal' }
  const look = () => {
    if (!finds.shift()) return null
    said.push('found')
    return ring
  }
  const box = { look, lookAt: look, lookIfChanged: look, held: () => held }
  return { said, later, resumed: resumed.promise, rushes, rushed: { box, announce: () => undefined } }
}

test('a rush looks instead of listening until nothing comes, listens again and looks for what fell between', async () => {
  const { said, later, resumed, rushes, rushed } = rushedBox([true, false, true, false])
  rushes.begin('new', rushed)
  rushes.begin('new', rushed)
  await resumed
  expect(said).toEqual(['pause new', 'found', 'found', 'resume new'])
  for (const look of later) look()
  expect(said.slice(4)).toEqual(['after 5', 'after 20', 'after 100'])
})

test('a box that nobody empties is listened to', async () => {
  const { said, resumed, rushes, rushed } = rushedBox([true, true, true], 1_000)
  rushes.begin('new', rushed)
  await resumed
  expect(said).toEqual(['pause new', 'found', 'resume new'])
})

test('nothing is looked for once it was stopped', async () => {
  const { said, later, resumed, rushes, rushed } = rushedBox([false])
  rushes.begin('new', rushed)
  await resumed
  rushes.stop()
  for (const look of later) look()
  rushes.begin('new', rushed)
  expect(said).toEqual(['pause new', 'resume new', 'after 5', 'after 20', 'after 100'])

  const other = rushedBox([true])
  other.rushes.begin('new', other.rushed)
  other.rushes.stop()
  await setImmediate()
  expect(other.said).toEqual(['pause new'])
})
