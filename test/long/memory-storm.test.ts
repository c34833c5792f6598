import { expect, test } from 'vitest'
import { memoryStorm } from '../adapters/memory/memory-storm.ts'

test('of a thousand memories from ten processes that are killed again and again none is lost', async () => {
  const { memories, problems, said, kills } = await memoryStorm({ processes: 10, writes: 100, killAfter: 17 })
  const texts = memories.map(({ text }) => text)
  expect(kills).toBeGreaterThan(40)
  expect(said.length).toBe(1_000)
  expect(said.filter((text) => !texts.includes(text))).toEqual([])
  expect(new Set(texts).size).toBe(texts.length)
  expect(problems).toEqual([])
})
