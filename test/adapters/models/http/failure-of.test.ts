import { expect, test } from 'vitest'
import {
  bodyFailure,
  errorFailure,
  failureOf,
  redacted,
  refusal,
} from '../../../../src/adapters/models/http/failure-of.ts'
import { retryAfterMs } from '../../../../src/adapters/models/http/retry-after.ts'
import { timed } from '../../../../src/rules/team/retry-policy.ts'
import { failure } from '../../../../src/protocol/conversation/failure.ts'

const answered = (status: number, error: unknown, headers: Record<string, string> = {}): Error =>
  Object.assign(new Error('from the SDK'), { status, error, headers: new Map(Object.entries(headers)) })

test.for([
  [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', 'Overloaded'],
  [{ error: { type: 'api_error', message: 'Internal' } }, 'server_error', 'Internal'],
  [{ error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'rate_limited', 'slow'],
  [{ error: { type: 'request_too_large', message: 'big' } }, 'context_exceeded', 'big'],
  [{ error: 'plain' }, 'server_error', 'plain'],
  [{ detail: 'from vLLM' }, 'server_error', 'from vLLM'],
  [{ other: 1 }, 'server_error', '{"other":1}'],
  [null, 'server_error', 'the server gave no reason'],
] as const)('an error event %j is %s', ([event, code, message]) => {
  expect(errorFailure(event)).toMatchObject({ code, message })
})

test.for([
  ['{"error":{"type":"overloaded_error","message":"busy"}}', '503 busy', 'overloaded'],
  ['<h1>Bad gateway</h1>', '503 Bad gateway', 'overloaded'],
  ['', '503 without a word', 'overloaded'],
  ['null', '503 null', 'overloaded'],
  ['<title>503 Busy</title><h1>503 Busy</h1><hr>nginx', '503 Busy nginx', 'overloaded'],
  ['503 Busy', '503 Busy', 'overloaded'],
] as const)('a refusal that says %j is told as %j', ([text, message, code]) => {
  const told = failureOf(refusal({ status: 503, headers: new Map([['retry-after', '2']]) }, text), false)
  expect(told).toMatchObject({ code, message, status: 503, retry_after_ms: 2_000 })
})

test('what is larger than a minute allows is to be made smaller, whatever the server says of waiting', () => {
  const message = 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 53000.'
  const told = failureOf(
    answered(429, { error: { message, code: 'rate_limit_exceeded' } }, { 'retry-after': '2' }),
    false,
  )
  expect(told).toMatchObject({
    code: 'context_exceeded',
    remedy: expect.stringContaining('tokens per minute') as string,
  })
  expect(errorFailure({ error: { message, code: 'rate_limit_exceeded' } })).toMatchObject({ code: 'context_exceeded' })
})

test('the server that says not to try again is believed', () => {
  expect(failureOf(answered(500, {}, { 'x-should-retry': 'false' }), false)).toMatchObject({ retry: false })
  expect(failureOf(answered(500, {}, { 'x-should-retry': 'true' }), false)).not.toHaveProperty('retry')
})

test('a socket that dies is a lost connection before the answer and a broken stream in it', () => {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  const wrapped = new Error('Connection error.', { cause })
  expect(failureOf(wrapped, false)).toMatchObject({ code: 'connection_lost', message: 'read ECONNRESET' })
  expect(failureOf(cause, true)).toMatchObject({ code: 'stream_broken' })
  const silent = Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })
  expect(failureOf(silent, true).code).toBe('timed_out')
  expect(failureOf(new Error('Request timed out.'), false).code).toBe('timed_out')
  const both = new AggregateError([new Error('connect ECONNREFUSED ::1')], '')
  expect(failureOf(both, false).message).toBe('connect ECONNREFUSED ::1')
})

test('a page instead of a stream is shown in a line, with what helps', () => {
  const told = bodyFailure(`<html><h1>Sign\n in</h1>${'x'.repeat(5000)}</html>`)
  expect(told).toMatchObject({ code: 'not_found', remedy: expect.stringContaining('base URL') as string })
  expect(told.message).toContain('Sign in')
  expect(told.message.length).toBeLessThan(2100)
})

test('secrets are taken out, words that only look alike are not', () => {
  const told = failure(
    'unauthorized',
    'key abcdefgh1 bad; sk-proj-0123456789abcdef too; task-list stays, api-version stays',
  )
  expect(redacted(told, ['abcdefgh1', '']).message).toBe(
    'key [redacted] bad; [redacted] too; task-list stays, api-version stays',
  )
})

const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
test.for([
  [{ 'retry-after-ms': '750.5', 'retry-after': '9' }, '', 750.5],
  [{ 'retry-after': '2' }, '', 2000],
  [{ date, 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, '', 5000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, '', undefined],
  [{ date, 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, '', undefined],
  [{ date, 'retry-after': '1767225605' }, '', 5000],
  [{ 'retry-after': '30s' }, '', 30_000],
  [{ 'retry-after': '1e9' }, '', undefined],
  [{ 'retry-after': 'soon' }, '', undefined],
  [{ 'retry-after': '-1' }, '', undefined],
  [{}, 'Please try again in 1.5s.', 1500],
  [{}, 'Please try again in 20ms.', 20],
  [{}, 'Rate limit reached. Please try again in 7m12.5s. Visit us.', 432_500],
  [{}, 'try again in 2 hours, 3 minutes', 7_380_000],
  [{}, 'please try again after 1 seconds', 1_000],
  [{}, 'Please retry in 47.434392449s.', 47_434.392449],
  [{}, 'Please retry after 26 seconds.', 26_000],
  [{}, 'Rate limit of 15 per 60s exceeded. Please wait 42 seconds before retrying.', 42_000],
  [{}, 'Too many tokens, please wait before trying again.', undefined],
  [{}, 'Try again in 1h.', 3_600_000],
  [{}, 'try again in a while', undefined],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, '', 360_000],
  [{ 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': '9s' }, '', 9_000],
  [{ 'x-ratelimit-remaining-tokens': '12', 'x-ratelimit-reset-tokens': '6m0s' }, '', undefined],
  [
    {
      date,
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:30Z',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-01-01T00:01:30Z',
    },
    '',
    90_000,
  ],
  [{ date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225605000' }, '', 5_000],
  [{ date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225605' }, '', 5_000],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '50' }, '', 50_000],
  [{ 'x-ratelimit-remaining': '0', 'retry-after': '2', 'x-ratelimit-reset': '50' }, '', 2_000],
  [{}, 'no word of it', undefined],
] as const)('%j "%s" asks for %s', ([headers, message, wait]) => {
  expect(retryAfterMs(new Map(Object.entries(headers)), message)).toBe(wait)
})

test('a moment from a server without a clock is kept as a moment', () => {
  const headers = new Map([['retry-after', 'Thu, 01 Jan 2026 00:00:05 GMT']])
  const told = failureOf(refusal({ status: 429, headers }, ''), false)
  expect(told).toMatchObject({ code: 'rate_limited', retry_at: Date.UTC(2026, 0, 1, 0, 0, 5) })
  expect(timed(told, Date.UTC(2026, 0, 1)).retry_after_ms).toBe(5_000)
  expect(timed(told, Date.UTC(2026, 1, 1)).retry_after_ms).toBeUndefined()
})
