/** The words in which servers name the size of a model's window, or the most that they take at once. */
const readings: readonly RegExp[] = [
  // prompt is too long: 203456 tokens > 200000 maximum
  /\d+ tokens? > (\d+) (?:tokens? )?maximum/i,
  // input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000
  /\d+\s*\+\s*\d+\s*>\s*(\d+)/,
  // maximum context length is 128000 tokens, context window of 8192 tokens, context length is only 131072
  /context[ _](?:length|window|size|limit)\)?(?: of this model)? (?:is|of|for this model is|:)(?: only| at most)?:? ?(\d+)/i,
  // the model's context window (8192 tokens), n_ctx: 4096, available context size (4096 tokens)
  /(?:context[ _](?:length|window|size|limit)|n_ctx)\D{1,12}(\d{4,})/i,
  // input token count (1048577) exceeds the maximum number of tokens allowed (1048575)
  /exceeds the (?:maximum|limit)\D*\(?(\d{4,})/i,
  // `inputs` must have less than 4096 tokens, `inputs` tokens + `max_new_tokens` must be <= 8192
  /must (?:have less than|be <=) (\d{4,})/i,
  // Request too large for m on tokens per min (TPM): Limit 30000, Requested 33000
  /too large for .*limit (\d+), requested/is,
  // Range of input length should be [1, 30720]
  /range of input length \D*\[\d+, ?(\d+)\]/i,
  /(?:token limit|max (?:seq|model|input)[ _]len(?:gth)?|maximum (?:prompt|input|allowed input) length)\D{1,20}(\d{4,})/i,
]

/** A window smaller than this is none of a model that can work. */
const smallest = 1_000

/**
 * The window of a model, read from the words in which its server refused a request as too long.
 *
 * @returns null when the words name none
 * @example windowIn('prompt is too long: 203456 tokens > 200000 maximum') // 200000
 */
export function windowIn(message: string): number | null {
  const plain = message.replaceAll(/(?<=\d),(?=\d{3})/g, '')
  for (const pattern of readings) {
    const size = Number(pattern.exec(plain)?.[1] ?? 0)
    if (size >= smallest) return size
  }
  return null
}
