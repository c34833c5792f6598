import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { failure, type Failure } from '../../../src/protocol/conversation/failure.ts'
import { noUsage, userMessage, type Usage } from '../../../src/protocol/conversation/message.ts'
import {
  effectiveWindow,
  emptyGauge,
  fullnessOf,
  guessedIn,
  isInDoubt,
  noteCut,
  messageChars,
  tokensIn,
  weigh,
  type Gauge,
} from '../../../src/rules/conversation/fullness.ts'
import { windowIn } from '../../../src/rules/conversation/window-words.ts'

const noteCount = (gauge: Gauge, usage: Usage): void =>
  weigh(gauge, { type: 'model.settled', usage } as unknown as Entry)
const noteRefusal = (gauge: Gauge, refused: Failure): void =>
  weigh(gauge, { type: 'model.settled', failure: refused, usage: noUsage } as unknown as Entry)

test.each([
  [{ window: null, max_output: 64_000 }, undefined, null],
  [{ window: 200_000, max_output: 64_000 }, undefined, 168_000],
  [{ window: 200_000, max_output: 8_000 }, undefined, 192_000],
  [{ window: 32_000, max_output: null }, undefined, 24_000],
  [{ window: 32_000, max_output: null }, 1_000, 31_000],
])('the window %o without an answer of at most %s', (sizes, most, left) => {
  expect(effectiveWindow(sizes, most)).toBe(left)
})

test.each([
  [79_999, 100_000, 'fits'],
  [80_000, 100_000, 'full'],
  [94_999, 100_000, 'full'],
  [95_000, 100_000, 'overfull'],
  [95_000, null, 'fits'],
] as const)('%i tokens of %s: %s', (tokens, window, says) => {
  expect(fullnessOf(tokens, window)).toBe(says)
})

const sizes = { window: 200_000, max_output: 64_000 }

test.each([
  ['far below every bound', 100_000, 50_000, false],
  ['where compaction may start', 130_000, 20_000, true],
  ['where a count holds and next to nothing came since', 130_000, 200, false],
  ['beyond the start, below the emergency', 146_000, 10_000, false],
  ['where the emergency may be', 157_000, 10_000, true],
  ['where the answer may get no room', 170_000, 10_000, true],
])('a guess %s', (_, tokens, guessed, doubted) => {
  expect(isInDoubt({ tokens, guessed }, sizes)).toBe(doubted)
})

test('where nobody knows the window, nothing is worth a count', () => {
  expect(isInDoubt({ tokens: 130_000, guessed: 130_000 }, { window: null, max_output: null })).toBe(false)
})

describe('the estimate', () => {
  test('holds on to what a server counted before it answered', () => {
    const gauge = { ...emptyGauge(), chars: 30_000 }
    expect(guessedIn(gauge, 600)).toBe(10_200)
    weigh(gauge, { type: 'model.counted', turn: 1, model: 'm', tokens: 7_000 } as unknown as Entry)
    expect([tokensIn(gauge, 600), guessedIn(gauge, 600)]).toEqual([7_000, 0])
    gauge.chars = 33_000
    expect(guessedIn(gauge)).toBe(1_000)
  })

  test('guesses what no model has counted, the system prompt and the tools with it', () => {
    const gauge = { ...emptyGauge(), chars: 3_000 }
    expect(tokensIn(gauge, 600)).toBe(1_200)
  })

  test('holds on to counts, and follows how many characters they took', () => {
    const gauge = { ...emptyGauge(), chars: 10_000 }
    noteCount(gauge, { ...noUsage, input: 5_000, cache_read: 1_000, output: 200, reasoning: 200 })
    expect(tokensIn(gauge, 99_999)).toBe(6_000)
    gauge.chars = 20_000
    expect(tokensIn(gauge)).toBe(9_334)
    noteCount(gauge, { ...noUsage, input: 8_000 })
    gauge.chars = 30_000
    expect(tokensIn(gauge)).toBe(10_000)
  })

  test('comes down with the conversation, and passes over answers that counted nothing', () => {
    const gauge = { ...emptyGauge(), chars: 20_000 }
    noteCount(gauge, { ...noUsage, input: 10_000 })
    noteCut(gauge, 8_000)
    expect(tokensIn(gauge)).toBe(6_000)
    noteCount(gauge, noUsage)
    expect(tokensIn(gauge)).toBe(6_000)
  })
})

describe('a window that a refusal tells of', () => {
  const asked = (tokens: number) => {
    const gauge = { ...emptyGauge(), asked: 'a/b' }
    noteCount(gauge, { ...noUsage, input: tokens })
    return gauge
  }

  test('is the one it names, else a little less than what was refused', () => {
    const gauge = asked(50_000)
    noteRefusal(gauge, failure('rate_limited', 'context window 10000'))
    expect(gauge.windows).toEqual({})
    noteRefusal(gauge, failure('context_exceeded', 'too long'))
    expect(gauge.windows).toEqual({ 'a/b': 45_000 })
    noteRefusal(gauge, failure('context_exceeded', 'prompt is too long: 76,000 tokens > 75,000 maximum'))
    expect(gauge.windows).toEqual({ 'a/b': 75_000 })
  })

  test('is forgotten when more than it is accepted', () => {
    const gauge = asked(50_000)
    noteRefusal(gauge, failure('context_exceeded', 'too long'))
    noteCount(gauge, { ...noUsage, input: 46_000 })
    expect(gauge.windows).toEqual({})
  })
})

test.each([
  ['prompt is too long: 203456 tokens > 200000 maximum', 200_000],
  ['input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease', 200_000],
  ["This model's maximum context length is 128000 tokens. However, you requested 140231 tokens", 128_000],
  ["You passed 99073 input tokens and requested 32000. However, the model's context length is only 131072", 131_072],
  ['The input token count (1048577) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4_096],
  ['`inputs` must have less than 4096 tokens. Given: 5000', 4_096],
  ['Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 33000.', 30_000],
  ['Range of input length should be [1, 30720]', 30_720],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', null],
  ['Request body is too large', null],
])('%s', (message, window) => {
  expect(windowIn(message)).toBe(window)
})

test('the size of a message counts an image as what it is worth', () => {
  const image = { type: 'image' as const, media_type: 'image/png', data: 'A'.repeat(500_000) }
  expect(messageChars({ ...userMessage('abc'), content: [{ type: 'text', text: 'abc' }, image] })).toBe(4_803)
})
