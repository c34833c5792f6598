import type { ModelSizes } from '../../rules/conversation/answer-length.ts'

/**
 * The longest answer and the window of models, as their vendors state them. The first pattern that a name begins with
 * counts, so that dated and coming versions of a family are known, too.
 */
const known: readonly (readonly [name: RegExp, max_output: number, window: number])[] = [
  [/^anthropic\/claude-(3-haiku|3-opus|3-sonnet|2)/, 4_096, 200_000],
  [/^anthropic\/claude-3-5/, 8_192, 200_000],
  [/^anthropic\/claude-opus-4(-0|-1|-2025|$)/, 32_000, 200_000],
  [/^anthropic\/claude-(3-7|(sonnet|haiku|opus)-4-5|sonnet-4(-0|-2025|$))/, 64_000, 200_000],
  [/^anthropic\/claude-haiku/, 64_000, 200_000],
  [/^anthropic\/claude-/, 128_000, 1_000_000],
  [/^openai\/gpt-3\.5/, 4_096, 16_385],
  [/^openai\/gpt-4-turbo/, 4_096, 128_000],
  [/^openai\/(gpt-4o|chatgpt-4o|gpt-5(\.\d)?-chat)/, 16_384, 128_000],
  [/^openai\/gpt-4\.1/, 32_768, 1_000_000],
  [/^openai\/(o1|o3|o4)/, 100_000, 200_000],
  [/^openai\/gpt-[5-9]/, 128_000, 400_000],
]

const unknown: ModelSizes = { max_output: null, window: null }

/** `sizesOf('anthropic/claude-haiku-4-5')` → `{ max_output: 64000, window: 200000 }`; null is what nobody said. */
export function sizesOf(name: string): ModelSizes {
  const [, max_output, window] = known.find(([pattern]) => pattern.test(name)) ?? []
  return max_output === undefined || window === undefined ? unknown : { max_output, window }
}
