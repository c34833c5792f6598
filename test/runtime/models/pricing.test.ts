import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPricing } from '../../../src/runtime/models/pricing.ts'
import { play, tempDir } from '../support/stage.ts'

const usage = { input: 1_000_000, output: 0, cache_read: 0, cache_write: 0 }

function homeWith(models: string): string {
  const home = tempDir()
  mkdirSync(join(home, '.troupe'))
  writeFileSync(join(home, '.troupe', 'models.json'), models)
  return home
}

test("a person's own price goes before the table, and what nobody knows has none", async () => {
  const pricing = await openPricing(homeWith('{"openai-compatible/mine": {"input": 3, "output": 5}}'))
  expect(await pricing.price('openai-compatible/mine', usage)).toBe(3)
  expect(await pricing.price('openai-compatible/other', usage)).toBeNull()
  expect(await pricing.price('scripted/any.yaml', usage)).toBe(0)
  expect(await pricing.price('anthropic/claude-opus-4-5', usage)).toBeGreaterThan(0)
})

test("a vendor's own cost goes before the table, and a person's own price can only raise it", async () => {
  const pricing = await openPricing(homeWith('{"openai-compatible/mine": {"input": 3, "output": 5}}'))
  expect(await pricing.price('anthropic/claude-opus-4-5', usage, 0.25)).toBe(0.25)
  expect(await pricing.price('openai-compatible/other', usage, 0.25)).toBe(0.25)
  expect(await pricing.price('openai-compatible/mine', usage, 0.25)).toBe(3)
  expect(await pricing.price('openai-compatible/mine', usage, 7)).toBe(7)
})

test('a broken file of prices stops a run before it starts, with the place', async () => {
  const { result } = await play(
    { name: 'solo', coordinator: { prompt: 'You lead.' }, workers: { hand: { description: 'Works.', prompt: 'p' } } },
    { lead: { steps: [{ say: 'Done.' }] } },
    { home: homeWith('{"openai/x": {"input": "dear"}}') },
  )
  await expect(result).rejects.toThrow(/models\.json:1:\d+ /)
})
