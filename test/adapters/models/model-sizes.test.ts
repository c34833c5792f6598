import { expect, test } from 'vitest'
import { sizesOf } from '../../../src/adapters/models/model-sizes.ts'

test.for([
  ['anthropic/claude-3-5-haiku-latest', 8_192],
  ['anthropic/claude-opus-4-20250514', 32_000],
  ['anthropic/claude-opus-4-1', 32_000],
  ['anthropic/claude-opus-4-5-20251101', 64_000],
  ['anthropic/claude-sonnet-4-5', 64_000],
  ['anthropic/claude-opus-5', 128_000],
  ['anthropic/claude-haiku-5', 64_000],
  ['openai/gpt-4o-mini', 16_384],
  ['openai/gpt-4.1', 32_768],
  ['openai/gpt-5.2-chat-latest', 16_384],
  ['openai/gpt-6-sol', 128_000],
  ['openai-compatible/llama-4', null],
  ['acme/claude-opus-5', null],
] as const)('%s writes at most %s', ([name, most]) => {
  expect(sizesOf(name).max_output).toBe(most)
})
