import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { openUnderway } from '../../src/runtime/underway.ts'

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

test('what is done ends with its own signal, with the reason, and leaves the rest alone', async () => {
  const underway = openUnderway()
  const [one, other] = [new AbortController(), new AbortController()]
  let isOtherOver = false
  const first = underway.attend(one.signal, untilAborted)
  const second = underway.attend(other.signal, untilAborted).finally(() => (isOtherOver = true))
  one.abort('left')
  expect(await first).toBe('left')
  expect(isOtherOver).toBe(false)
  underway.cutOff()
  expect(await second).toMatchObject({ name: 'AbortError' })
})

test('what begins after the end is ended from its beginning', async () => {
  const underway = openUnderway()
  underway.cutOff()
  expect(await underway.attend(new AbortController().signal, async ({ aborted }) => aborted)).toBe(true)
  const left = AbortSignal.abort('left')
  expect(await openUnderway().attend(left, async (signal) => String(signal.reason))).toBe('left')
})

test('nothing of what is over stays, however it ended', async () => {
  const underway = openUnderway()
  const lasting = new AbortController()
  const aborted: number[] = []
  for (let n = 0; n < 1_000; n += 1) {
    const going = underway.attend(lasting.signal, async (signal) => {
      signal.addEventListener('abort', () => aborted.push(n))
      if (n % 2 === 1) throw new Error('odd')
    })
    await Promise.allSettled([going])
  }
  expect(getEventListeners(lasting.signal, 'abort')).toEqual([])
  underway.cutOff()
  expect(aborted).toEqual([])
})
