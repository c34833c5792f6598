import { expect, test } from 'vitest'
import { stream } from '../../../src/runtime/actors/stream.ts'

async function all<Item>(source: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of source) items.push(item)
  return items
}

test('a reader gets what was pushed before and after it came, until the end', async () => {
  const { push, end, ...rest } = stream<number>()
  push(1)
  const read = all(rest)
  push(2)
  queueMicrotask(() => {
    push(3)
    end()
    push(4)
  })
  expect(await read).toEqual([1, 2, 3])
})

test('items that wait may grow together instead of piling up', async () => {
  const { push, end, ...rest } = stream<string>({ merge: (last, next) => (next === '|' ? null : last + next) })
  for (const item of ['a', 'b', '|', 'c']) push(item)
  end()
  expect(await all(rest)).toEqual(['ab', '|c'])
})

test('a reader that leaves says so', async () => {
  let left = 0
  const source = stream<number>({ onReturn: () => (left += 1) })
  source.push(1)
  for await (const item of source) if (item === 1) break
  expect(left).toBe(1)
})

test('a reader that already waits is handed what is pushed, and hears of the end', async () => {
  let left = 0
  const source = stream<number>({ merge: (last, next) => last + next, onReturn: () => (left += 1) })
  const reader = source[Symbol.asyncIterator]()
  const first = reader.next()
  source.push(1)
  source.push(2)
  source.push(3)
  expect(await first).toEqual({ done: false, value: 1 })
  expect(await reader.next()).toEqual({ done: false, value: 5 })
  const last = reader.next()
  source.end()
  expect(await last).toEqual({ done: true, value: undefined })
  expect(left).toBe(1)
})

const full = { bound: 3, mayDrop: (item: string) => item === 'd', dropped: (count: number) => `-${count}` }

test('a full queue leaves out what may be lost, and counts it where it would have stood', async () => {
  const source = stream<string>({ ...full, isRead: true })
  for (const item of ['a', 'b', 'c', 'd', 'd', 'e']) source.push(item)
  source.end()
  expect(await all(source)).toEqual(['a', 'b', 'c', '-2', 'e'])
})

test('a producer waits for a reader that is behind, until the reader took what waits or left', async () => {
  for (const leaves of [false, true]) {
    const source = stream<string>({ ...full, isRead: true })
    for (const item of ['a', 'b', 'c']) source.push(item)
    let isRoom = false
    const room = source.room().then(() => (isRoom = true))
    const reader = source[Symbol.asyncIterator]()
    await reader.next()
    expect(isRoom).toBe(false)
    const rest = leaves ? [() => reader.return?.()] : [() => reader.next(), () => reader.next()]
    for (const act of rest) await act()
    await room
    expect(isRoom).toBe(true)
  }
})

test('while nobody reads nobody is waited for: the oldest give way and are counted', async () => {
  const source = stream<string>({ ...full, mayDrop: () => false })
  for (const item of 'abcdefgh') source.push(item)
  await source.room()
  source.end()
  const items = await all(source)
  expect(items.at(-1)).toBe('h')
  expect(items[0]).toMatch(/^-\d$/)
  expect(items.length).toBeLessThanOrEqual(5)
})
