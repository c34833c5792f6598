import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { openInFlight, type InFlight } from '../../../src/runtime/agent/agent-session.ts'

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

/** A port at work, and what it says of its end. */
function port(underway: InFlight, act: (signal: AbortSignal) => Promise<unknown>) {
  const aborted: string[] = []
  const logic = fromPromise(({ self, signal }) => {
    signal.addEventListener('abort', () => aborted.push(self.id))
    return underway.attend(self, act(signal))
  })
  const actor = createActor(logic, { id: 'port' })
  actor.subscribe({ error: () => undefined })
  return { actor: actor.start(), aborted }
}

test('what is done is stopped when all is cut off, and aborted with that', () => {
  const underway = openInFlight()
  const { actor, aborted } = port(underway, untilAborted)
  underway.cutOff()
  expect(aborted).toEqual(['port'])
  expect(actor.getSnapshot().status).toBe('stopped')
})

test('what a port that is cut off says later is heard by nobody', async () => {
  const underway = openInFlight()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const { actor } = port(underway, () => promise)
  underway.cutOff()
  resolve('late')
  await promise
  expect(actor.getSnapshot()).toMatchObject({ status: 'stopped', output: undefined })
})

test('nothing of what is over stays, however it ended', async () => {
  const underway = openInFlight()
  const ports = Array.from({ length: 100 }, (_, n) =>
    port(underway, async () => {
      if (n % 2 === 1) throw new Error('odd')
    }),
  )
  await Promise.allSettled(
    ports.map(({ actor }) => new Promise((end) => actor.subscribe({ complete: () => end(null), error: end }))),
  )
  underway.cutOff()
  expect(ports.flatMap(({ aborted }) => aborted)).toEqual([])
})

test('it is over when the last of it is', async () => {
  const underway = openInFlight()
  expect(underway.over()).toBeNull()
  const { promise, resolve } = Promise.withResolvers<string>()
  port(underway, () => promise)
  port(underway, untilAborted)
  const over = underway.over()
  underway.cutOff()
  resolve('late')
  await over
  expect(underway.over()).toBeNull()
})
