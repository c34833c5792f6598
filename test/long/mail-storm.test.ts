import { expect, test } from 'vitest'
import { mailSteps } from '../../src/adapters/mailbox/files/mail-step.ts'
import { killPoints, storm } from '../chaos/storm.ts'

test('nothing is lost, processed twice or out of order however often processes are killed', async () => {
  const { tally, points } = await storm({ kills: 500, seed: 1 })
  const { kills, sent } = tally
  expect(tally).toEqual({ kills, sent, lost: 0, duplicated: 0, misordered: 0, unhandled: 0, left: 0, emptied: 0 })
  expect(kills).toBeGreaterThanOrEqual(500)
  expect(sent).toBeGreaterThan(500)
  // The kills come where they are meant to.
  expect(Object.keys(points).length).toBeGreaterThan(6)
})

test('every step of the mailbox is a place to be killed at', () => {
  expect(killPoints).toEqual(expect.arrayContaining([...mailSteps]))
})
