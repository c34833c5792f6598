import { expect, test } from 'vitest'
import { pricedModels, priceOf } from '../../../src/adapters/models/prices.ts'

const million = { input: 100_000, output: 10_000, cache_read: 50_000, cache_write: 20_000 }

test('cached tokens cost less, written ones more, and none is counted twice', async () => {
  const price = await priceOf('anthropic/claude-sonnet-4-5')
  const only = (part: Partial<typeof million>): number =>
    price({ input: 0, output: 0, cache_read: 0, cache_write: 0, ...part }) ?? Number.NaN
  expect(only({ input: 100_000 })).toBeCloseTo(0.3)
  expect(only({ cache_read: 100_000 })).toBeCloseTo(0.03)
  expect(only({ cache_write: 100_000 })).toBeCloseTo(0.375)
  expect(only({ output: 10_000 })).toBeCloseTo(0.15)
  expect(price(million)).toBeCloseTo(0.3 + 0.15 + 0.015 + 0.075)
})

test('what nobody knows has no price; a script is free', async () => {
  expect((await priceOf('openai/never-heard-of'))(million)).toBeNull()
  expect((await priceOf('openai-compatible/llama'))(million)).toBeNull()
  expect((await priceOf('scripted/x.yaml'))(million)).toBe(0)
})

test("one's own prices go before the table", async () => {
  const own = { 'openai-compatible/llama': { input: 1, output: 2, cache_read: 0, window: 8000 } }
  expect((await priceOf('openai-compatible/llama', own))(million)).toBeCloseTo(0.1 + 0.02 + 0.02)
  expect(await pricedModels(own)).toContainEqual({ name: 'openai-compatible/llama', window: 8000, input: 1, output: 2 })
})

test('the list names models of both vendors with window and price, in order', async () => {
  const cards = await pricedModels()
  const names = cards.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  expect(cards.find(({ name }) => name === 'anthropic/claude-sonnet-4-5')).toMatchObject({
    window: 200_000,
    input: 3,
    output: 15,
  })
  expect(names.some((name) => name.startsWith('openai/gpt-5'))).toBe(true)
  expect(names.filter((name) => /tts|embedding|whisper/.test(name))).toEqual([])
})
