import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { failure, failureClasses, type FailureCode } from '../../../src/protocol/conversation/failure.ts'
import { outputRoom } from '../../../src/rules/conversation/output-room.ts'
import {
  backoffMs,
  blamesServer,
  defaultLimits,
  isGone,
  lateFailure,
  mayFallBack,
  remedyFor,
  retryLimits,
  type Trouble,
} from '../../../src/rules/team/retry-policy.ts'
import { thinkingBudget } from '../../../src/rules/conversation/thinking-budget.ts'

const trouble = (code: FailureCode, more: Partial<Trouble> = {}, told: object = {}): Trouble => ({
  failure: failure(code, 'why', told),
  attempts: 1,
  since: 0,
  now: 0,
  background: false,
  max_tokens: undefined,
  stands_in: false,
  renewed: false,
  chance: 0,
  ...more,
})

const codes = Object.keys(failureClasses) as FailureCode[]
const persistent = { ...defaultLimits, persistent: true }

describe('what may help', () => {
  test.for(codes.filter((code) => failureClasses[code] === 'retry'))(
    '%s is tried ten times again, not eleven',
    (code) => {
      expect(remedyFor(trouble(code, { attempts: 10 }), defaultLimits).act).toBe('retry')
      expect(remedyFor(trouble(code, { attempts: 11 }), defaultLimits).act).toBe('give_up')
    },
  )

  test.for(codes.filter((code) => failureClasses[code] === 'final' && code !== 'unauthorized'))('%s stands', (code) => {
    expect(remedyFor(trouble(code), defaultLimits)).toEqual({ act: 'give_up' })
  })

  test('the server may forbid it', () => {
    expect(remedyFor(trouble('server_error', {}, { retry: false }), persistent)).toEqual({ act: 'give_up' })
  })

  test('a refused key is looked up again once', () => {
    expect(remedyFor(trouble('unauthorized'), defaultLimits)).toEqual({ act: 'renew' })
    expect(remedyFor(trouble('unauthorized', { renewed: true }), defaultLimits)).toEqual({ act: 'give_up' })
  })

  test('nobody waits for background work: a busy server is left alone, other trouble is tried again', () => {
    expect(remedyFor(trouble('overloaded', { background: true }), persistent)).toEqual({ act: 'give_up' })
    expect(remedyFor(trouble('server_error', { background: true }), defaultLimits).act).toBe('retry')
    expect(remedyFor(trouble('rate_limited', { background: true }, { retry_after_ms: 90_000 }), persistent).act).toBe(
      'give_up',
    )
  })

  property.prop(
    [
      fc.constantFrom(...codes),
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 500_000 }),
    ],
    {
      numRuns: 1_000,
    },
  )(
    'waits double to 32 s, never undercut the server, and a quarter at most comes by chance',
    (code, attempts, chance, asked) => {
      const remedy = remedyFor(trouble(code, { attempts, chance }, { retry_after_ms: asked }), persistent)
      if (!('delay_ms' in remedy)) return
      const least = Math.max(Math.min(500 * 2 ** (attempts - 1), 32_000), asked)
      expect(remedy.delay_ms).toBeGreaterThanOrEqual(least)
      expect(remedy.delay_ms).toBeLessThanOrEqual(Math.ceil(least * 1.25))
      expect(remedy.act).toBe(remedy.delay_ms >= 60_000 ? 'pause' : 'retry')
    },
  )

  test('a long limit is waited for up to ten minutes, or six hours where patience is asked for', () => {
    const hour = { retry_after_ms: 3_600_000 }
    expect(remedyFor(trouble('rate_limited', {}, { retry_after_ms: 300_000 }), defaultLimits).act).toBe('pause')
    expect(remedyFor(trouble('rate_limited', {}, hour), defaultLimits)).toEqual({ act: 'give_up' })
    expect(remedyFor(trouble('rate_limited', {}, hour), persistent)).toMatchObject({ act: 'pause' })
    const late = { now: 5.5 * 3_600_000, attempts: 900 }
    expect(remedyFor(trouble('rate_limited', late, hour), persistent)).toEqual({ act: 'give_up' })
    expect(remedyFor(trouble('overloaded', { attempts: 500 }), persistent)).toEqual({ act: 'retry', delay_ms: 32_000 })
    expect(remedyFor(trouble('server_error', { attempts: 500 }), persistent)).toEqual({ act: 'give_up' })
  })
})

test('the backoff', () => {
  expect([1, 2, 3, 6, 7, 8, 60].map(backoffMs)).toEqual([500, 1_000, 2_000, 16_000, 32_000, 32_000, 32_000])
})

test.for([
  ['input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease', 11_841],
  ['input length and `max_tokens` exceed context limit: 198000 + 20000 > 200000', null],
  ['input length and `max_tokens` exceed context limit: 188,059 + 20,000 > 200,000', 11_841],
  [
    "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens (122000 in the messages, 8000 in the completion).",
    5_900,
  ],
  [
    "This model's maximum context length is 8192 tokens and your request has 5000 input tokens (`max_tokens` must be at most 3192)",
    3_092,
  ],
  ["This model's maximum context length is 8192 tokens and your request has 6000 input tokens", null],
  [
    "This endpoint's maximum context length is 262144 tokens. However, you requested about 264896 tokens (52139 of text input, 12757 of tool input, 200000 in the output).",
    197_148,
  ],
  [
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 110000 tokens from the input messages and 30000 tokens for the completion.",
    20_972,
  ],
  [
    "This model's maximum context length is 131072 tokens. However, you requested 32000 output tokens and your prompt contains at least 110000 input tokens, for a total of at least 142000 tokens.",
    20_972,
  ],
  [
    "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens.",
    31_899,
  ],
  ['`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 4000 `inputs` tokens and 4500 `max_new_tokens`', 4_092],
  ['The parameter `max_tokens` is not valid: expected a value <= 4096, but got 8192 instead.', 4_096],
  ['You requested up to 32000 tokens, but can only afford 27342.', 27_342],
  ['The maximum tokens you requested exceeds the model limit of 4096.', 4_096],
  ['max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for m', 8_192],
  ['max_tokens is too large: 100000. This model supports at most 16384 completion tokens', 16_384],
  ['max_tokens is too large: 5000. This model supports at most 2000 completion tokens', null],
  ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8_192],
  ['InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 16384]', 16_384],
  ['`max_tokens` must be less than or equal to `32768`, the maximum value for `max_tokens`', 32_768],
  ['a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)', 65_536],
  ['prompt is too long: 213462 tokens > 200000 maximum', null],
] as const)('"%s" leaves %s', ([message, room]) => {
  expect(outputRoom(message)).toBe(room)
})

describe('an answer that does not fit', () => {
  const words = 'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000'
  const tight = (more: Partial<Trouble>) =>
    remedyFor({ ...trouble('context_exceeded', more), failure: failure('context_exceeded', words) }, defaultLimits)
  test('is asked for shorter, unless that changes nothing or did not help twice', () => {
    expect(tight({ max_tokens: 20_000 })).toEqual({ act: 'shrink', max_tokens: 11_841 })
    expect(tight({})).toEqual({ act: 'shrink', max_tokens: 11_841 })
    expect(tight({ max_tokens: 11_841 })).toEqual({ act: 'give_up' })
    expect(tight({ attempts: 3 })).toEqual({ act: 'give_up' })
  })
})

test('an answer that with its request is more than a minute allows is asked for shorter by what is too much', () => {
  const words = 'Request too large for gpt-4o on tokens per min (TPM): Limit 30,000, Requested 33,000. The input …'
  const large = (more: Partial<Trouble>) =>
    remedyFor({ ...trouble('context_exceeded', more), failure: failure('context_exceeded', words) }, defaultLimits)
  expect(large({ max_tokens: 16_000 })).toEqual({ act: 'shrink', max_tokens: 12_900 })
  expect(large({ max_tokens: 6_000 })).toEqual({ act: 'give_up' })
  expect(large({ max_tokens: undefined })).toEqual({ act: 'give_up' })
})

test('a larger window helps where a conversation is too long, another mind where the team wants one', () => {
  const plain = { larger: false, onRefusal: false }
  expect(mayFallBack(failure('context_exceeded', ''), { ...plain, larger: true })).toBe(true)
  expect(mayFallBack(failure('refused', ''), { ...plain, onRefusal: true })).toBe(true)
  expect([
    isGone(failure('refused', '')),
    isGone(failure('context_exceeded', '')),
    isGone(failure('overloaded', '')),
  ]).toEqual([false, false, true])
})

describe('where another model stands in', () => {
  const gives = (code: FailureCode, more: Partial<Trouble> = {}, told: object = {}, limits = defaultLimits) =>
    remedyFor(trouble(code, { stands_in: true, ...more }, told), limits).act

  test('three failures are enough, or as many as are wished', () => {
    expect([gives('overloaded', { attempts: 2 }), gives('overloaded', { attempts: 3 })]).toEqual(['retry', 'give_up'])
    expect(gives('overloaded', {}, {}, { ...persistent, fallback_after: 1 })).toBe('give_up')
  })

  test('a server that hangs is not asked twice; one that says that it took too long is', () => {
    expect(gives('timed_out')).toBe('give_up')
    expect(gives('timed_out', {}, { status: 408 })).toBe('retry')
  })

  test('a limit of a minute is not waited for', () => {
    expect([59_000, 60_000].map((retry_after_ms) => gives('rate_limited', {}, { retry_after_ms }))).toEqual([
      'retry',
      'give_up',
    ])
  })
})

test('a limit that nobody waits for is told with its hour', () => {
  const limited = failure('rate_limited', '429 slow', { retry_after_ms: 3_600_000 })
  expect(lateFailure(limited, Date.UTC(2026, 0, 1, 13, 5))).toMatchObject({
    message: '429 slow (resets in 60 minutes, at 2026-01-01 14:05:00 UTC)',
    remedy: '`persistent: true` waits for it, a `fallback` does not have to',
  })
  const short = failure('rate_limited', '429 slow', { retry_after_ms: 600_000 })
  expect(lateFailure(short, 0)).toBe(short)
})

test('what nobody limits has its default', () => {
  expect(retryLimits({})).toEqual(defaultLimits)
  expect(retryLimits({ retries: 1, fallback_after: 2, fallback_on_refusal: true, persistent: true })).toEqual({
    retries: 1,
    fallback_after: 2,
    on_refusal: true,
    persistent: true,
  })
})

test('who may stand in, and who is to blame', () => {
  expect(codes.filter((code) => mayFallBack(failure(code, ''), { larger: false, onRefusal: false }))).toEqual([
    'rate_limited',
    'overloaded',
    'server_error',
    'connection_lost',
    'timed_out',
    'stream_broken',
    'unauthorized',
    'forbidden',
    'not_found',
    'missing_credential',
  ])
  expect(blamesServer(failure('rate_limited', ''))).toBe(false)
  expect(blamesServer(failure('overloaded', ''))).toBe(true)
  expect(blamesServer(failure('invalid_request', ''))).toBe(false)
})

test.for([
  [1, 8_000],
  [2, 8_000],
  [3, 4_000],
  [4, 2_000],
  [9, 1_024],
] as const)('in turn %i a plan that decays thinks for %i tokens', ([turn, budget]) => {
  expect(thinkingBudget({ budget: 8_000, decay: { after_turn: 2, factor: 0.5, floor: 1_024 } }, turn)).toBe(budget)
})

test('a plan never grows: its floor is below its budget, without decay it stays', () => {
  expect(thinkingBudget({ budget: 500, decay: { after_turn: 0, factor: 0.5, floor: 1_024 } }, 5)).toBe(500)
  expect(thinkingBudget({ budget: 500 }, 50)).toBe(500)
})
