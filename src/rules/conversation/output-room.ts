/** An answer shorter than this is of no use. */
const floor = 3_000

/** Vendors count a little differently from one request to the next. */
const margin = 100

interface Reading {
  readonly pattern: RegExp
  /** The room for output that the numbers leave of what was asked for. */
  room(numbers: readonly number[], asked: number): number
}

const readings: readonly Reading[] = [
  {
    // input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000
    pattern: /(\d+)\s*\+\s*\d+\s*>\s*(\d+)/,
    room: ([input = 0, limit = 0]) => limit - input - margin,
  },
  {
    // maximum context length is 128000 tokens. However, you requested 140231 tokens (136231 in the messages, 4000 in the completion)
    pattern:
      /maximum context length (?:is|of) (\d+) tokens.*?requested \D*(\d+) tokens\b.*?(\d+) (?:tokens )?(?:in|for) the (?:completion|output)/is,
    room: ([limit = 0, requested = 0, output = 0]) => limit - (requested - output) - margin,
  },
  {
    // maximum context length is 8192 tokens and your request has 5000 input tokens, or: your prompt contains at least …
    pattern:
      /maximum context length is (\d+) tokens.*?your (?:request|prompt) (?:has|contains) \D*(\d+) input tokens/is,
    room: ([limit = 0, input = 0]) => limit - input - margin,
  },
  {
    // You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072
    pattern: /passed (\d+) input tokens and requested \d+ output tokens.*? context length is only (\d+)/is,
    room: ([input = 0, limit = 0]) => limit - input - margin,
  },
  {
    // `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 4000 `inputs` tokens
    pattern: /max_new_tokens. must be <= (\d+)\. Given: (\d+)/i,
    room: ([limit = 0, input = 0]) => limit - input - margin,
  },
  {
    // Request too large for m on tokens per min (TPM): Limit 30000, Requested 33000 (request and answer together)
    pattern: /too large for .*limit (\d+), requested (\d+)/is,
    room: ([limit = 0, requested = 0], asked) => asked - (requested - limit) - margin,
  },
  {
    // max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens
    pattern: /max_tokens:\s*\d+\s*>\s*(\d+)/,
    room: ([most = 0]) => most,
  },
  {
    // max_tokens is too large: 100000. This model supports at most 16384 completion tokens
    pattern: /supports at most (\d+) (?:completion|output) tokens/i,
    room: ([most = 0]) => most,
  },
  {
    // Invalid max_tokens value, the valid range of max_tokens is [1, 8192]
    pattern: /range of max_tokens \D*\[\d+, ?(\d+)\]/i,
    room: ([most = 0]) => most,
  },
  {
    // `max_tokens` must be less than or equal to `32768`
    pattern: /max_tokens\W+must be less than or equal to\W+(\d+)/i,
    room: ([most = 0]) => most,
  },
  {
    // expected a value <= 4096, but got 8192; can only afford 27342; exceeds the model limit of 4096
    pattern: /(?:expected a value <= |can only afford |tokens you requested exceeds the model limit of )(\d+)/i,
    room: ([most = 0]) => most,
  },
  {
    // maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)
    pattern: /maxOutputTokens value of \d+ .* to (\d+) \(exclusive\)/i,
    room: ([end = 0]) => end - 1,
  },
]

/**
 * How much a model may still write, read from the words in which its server refused a request as too large.
 *
 * @param asked how much it was to write, when that is known
 * @returns null when the words say nothing of it, or so little room is left that an answer would be of no use
 * @example outputRoom('input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000') // 11841
 */
export function outputRoom(message: string, asked = 0): number | null {
  const plain = message.replaceAll(/(?<=\d),(?=\d{3})/g, '')
  for (const { pattern, room } of readings) {
    const found = pattern.exec(plain)
    if (!found) continue
    const left = room(found.slice(1).map(Number), asked)
    return left >= floor ? left : null
  }
  return null
}
