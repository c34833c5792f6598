import { expect, test } from 'vitest'
import { openSlotGate } from '../../../src/runtime/models/slot-gates.ts'

const staying = new AbortController().signal

/** Asks for a slot, and notes when it is there. */
function visitor(gate: ReturnType<typeof openSlotGate>, name: string, inside: string[], signal = staying) {
  const entered = gate.enter(1, signal).then((leave) => {
    inside.push(name)
    return leave
  })
  return { entered, leave: async () => (await entered)() }
}

/** Everything that follows at once has happened. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('requests beyond the slots wait, in the order in which they came', async () => {
  const [gate, inside] = [openSlotGate(), [] as string[]]
  const [first, second, third] = ['a', 'b', 'c'].map((name) => visitor(gate, name, inside))
  await settled()
  expect(inside).toEqual(['a'])
  await first?.leave()
  await first?.leave()
  await settled()
  expect(inside).toEqual(['a', 'b'])
  await second?.leave()
  await third?.leave()
  expect(inside).toEqual(['a', 'b', 'c'])
})

test('a slot that is handed over is not taken by a request that comes meanwhile', async () => {
  const [gate, inside] = [openSlotGate(), [] as string[]]
  const first = visitor(gate, 'a', inside)
  visitor(gate, 'b', inside)
  const leave = await first.entered
  leave()
  visitor(gate, 'c', inside)
  await settled()
  expect(inside).toEqual(['a', 'b'])
})

test('a request that is called off leaves the queue, and holds no slot', async () => {
  const [gate, inside, off] = [openSlotGate(), [] as string[], new AbortController()]
  const first = visitor(gate, 'a', inside)
  const second = visitor(gate, 'b', inside, off.signal)
  visitor(gate, 'c', inside)
  off.abort()
  await second.leave()
  expect(inside).toEqual(['a', 'b'])
  await first.leave()
  await settled()
  expect(inside).toEqual(['a', 'b', 'c'])
})
