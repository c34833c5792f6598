import { expect, test } from 'vitest'
import { flattened } from '../../../../src/adapters/models/http/flattened.ts'

const ends: string[] = []

async function* batchesOf(...batches: readonly (readonly number[])[]): AsyncGenerator<Iterator<number>> {
  try {
    for (const batch of batches) yield batch.values()
  } finally {
    ends.push('ended')
  }
}

test('items come in their order, whatever batches they lie in', async () => {
  const items: number[] = []
  for await (const item of flattened(batchesOf([], [1, 2], [], [3], []))) items.push(item)
  expect(items).toEqual([1, 2, 3])
})

test('a reader that leaves ends the batches, and nothing more is given', async () => {
  ends.length = 0
  const items = flattened(batchesOf([1, 2], [3]))
  for await (const item of items) if (item === 1) break
  expect(ends).toEqual(['ended'])
  await expect(items.next()).resolves.toEqual({ done: true, value: undefined })
})

test('what goes wrong between two batches reaches the reader', async () => {
  async function* broken(): AsyncGenerator<Iterator<number>> {
    yield [1].values()
    throw new Error('torn')
  }
  const items = flattened(broken())
  await items.next()
  await expect(items.next()).rejects.toThrow('torn')
})
