import type { Usage } from '../../protocol/message.ts'

interface OpenAiCounts {
  readonly input: unknown
  readonly output: unknown
  readonly cached: unknown
  readonly written: unknown
  readonly reasoning: unknown
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

/** A number of tokens, whatever a server wrote. */
export function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0
}
