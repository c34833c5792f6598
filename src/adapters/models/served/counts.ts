import type { Usage } from '../../../protocol/conversation/message.ts'

interface OpenAiCounts {
  readonly input: unknown
  readonly output: unknown
  readonly cached: unknown
  readonly written: unknown
  readonly reasoning: unknown
}

/** A server's counts, as loosely as they must be taken. */
export type Counts = Readonly<Record<string, unknown>>

/** Counts may come in parts, with every word, or be null at the end: what was said once stays until it is said anew. */
export function mergedCounts(before: Counts | undefined, more: unknown): Counts | undefined {
  if (typeof more !== 'object' || more === null) return before
  const told = Object.entries(more).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries<unknown>(told) }
}

/** The counts of the chat completions API; servers name those of their caches each in their own way. */
export function chatUsage(usage: Counts = {}): Usage {
  const details = (key: string): Counts => (usage[key] ?? {}) as Counts
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage
  const [prompt, completion] = [details('prompt_tokens_details'), details('completion_tokens_details')]
  const reasoning = completion['reasoning_tokens'] ?? usage['reasoning_tokens']
  // xAI counts thinking beside the output, everyone else within it; only the total tells.
  const isApart = count(reasoning) > 0 && count(total) >= count(input) + count(output) + count(reasoning)
  return openAiUsage({
    input,
    output: isApart ? count(output) + count(reasoning) : output,
    cached:
      prompt['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cached_tokens'] ??
      usage['cache_read_input_tokens'],
    written: prompt['cache_write_tokens'] ?? usage['cache_creation_input_tokens'],
    reasoning,
  })
}

/** OpenAI counts cached tokens among the input; here the two stand apart. */
export function openAiUsage({ input, output, cached, written, reasoning }: OpenAiCounts): Usage {
  const cache_read = count(cached)
  const cache_write = count(written)
  return {
    input: Math.max(0, count(input) - cache_read - cache_write),
    output: count(output),
    cache_read,
    cache_write,
    ...(count(reasoning) > 0 ? { reasoning: count(reasoning) } : {}),
  }
}

/** Tokens of many windows of the largest models: a larger number counts none, and would use up every budget. */
const mostTokens = 100_000_000

/** A number of tokens, whatever a server wrote; 0 for what cannot be one. */
export function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0
}
