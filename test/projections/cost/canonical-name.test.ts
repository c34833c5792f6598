import { expect, test } from 'vitest'
import { canonicalName } from '../../../src/projections/cost/canonical-name.ts'

test.for([
  ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['vertex/claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
  ['anthropic/claude-3-5-haiku-latest', 'claude-3-5-haiku'],
  ['openai/gpt-5.1-2025-11-13', 'gpt-5.1'],
  ['openrouter/openai/gpt-5.1', 'gpt-5.1'],
  ['ollama/qwen2.5-coder:7b', 'qwen2.5-coder:7b'],
  ['scripted/scripts/lead.yaml', 'lead.yaml'],
] as const)('%s is %s', ([name, canonical]) => {
  expect(canonicalName(name)).toBe(canonical)
})
