import type { FailureCode } from '../../../src/protocol/conversation/failure.ts'
import type { Fault } from '../faulty-server.ts'
import type { Api } from './speech.ts'

/** One way in which a request fails, and what has to come of it. */
export interface Failing {
  readonly name: string
  readonly api: Api
  readonly fault: Fault
  readonly code: FailureCode
  /** `retry`: asked again; `shrink`: asked again for less; `once`: asked again only by who is waited for; else it stands. */
  readonly leads: 'retry' | 'shrink' | 'foreground' | 'final'
  /** The least wait that the server asked for. */
  readonly wait?: number
}

const anthropic = (status: number, type: string, message: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers,
  body: JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }),
})

const openai = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null, ...more } }),
})

const page = (status: number, text: string): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body><h1>${text}</h1></body></html>`,
})

const httpDate = { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }
const overflow = 'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease one of them'
const chatOverflow =
  "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens (122000 in the messages, 8000 in the completion). Please reduce the length."

/** Thirty-five failures that vendors and gateways are known for, in their kind of words. */
export const failings: readonly Failing[] = [
  {
    name: '400 context',
    api: 'anthropic',
    fault: anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    code: 'context_exceeded',
    leads: 'final',
  },
  {
    name: '400 output does not fit',
    api: 'anthropic',
    fault: anthropic(400, 'invalid_request_error', overflow),
    code: 'context_exceeded',
    leads: 'shrink',
  },
  {
    name: '400 output limit',
    api: 'anthropic',
    fault: anthropic(
      400,
      'invalid_request_error',
      'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for this model',
    ),
    code: 'output_exceeded',
    leads: 'shrink',
  },
  {
    name: '400 other',
    api: 'anthropic',
    fault: anthropic(400, 'invalid_request_error', 'messages.0: something is wrong'),
    code: 'invalid_request',
    leads: 'final',
  },
  {
    name: '400 credit',
    api: 'anthropic',
    fault: anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
    code: 'forbidden',
    leads: 'final',
  },
  {
    name: '401',
    api: 'anthropic',
    fault: anthropic(401, 'authentication_error', 'invalid x-api-key'),
    code: 'unauthorized',
    leads: 'final',
  },
  {
    name: '402',
    api: 'anthropic',
    fault: anthropic(402, 'billing_error', 'payment required'),
    code: 'forbidden',
    leads: 'final',
  },
  {
    name: '403',
    api: 'anthropic',
    fault: anthropic(403, 'permission_error', 'not allowed'),
    code: 'forbidden',
    leads: 'final',
  },
  {
    name: '404',
    api: 'anthropic',
    fault: anthropic(404, 'not_found_error', 'model: m'),
    code: 'not_found',
    leads: 'final',
  },
  { name: '408', api: 'anthropic', fault: anthropic(408, 'timeout_error', 'slow'), code: 'timed_out', leads: 'retry' },
  {
    name: '409',
    api: 'anthropic',
    fault: anthropic(409, 'api_error', 'conflict'),
    code: 'server_error',
    leads: 'retry',
  },
  {
    name: '413',
    api: 'anthropic',
    fault: anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    code: 'context_exceeded',
    leads: 'final',
  },
  {
    name: '429 seconds',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'slow down', { 'retry-after': '3' }),
    code: 'rate_limited',
    leads: 'retry',
    wait: 3_000,
  },
  {
    name: '429 milliseconds',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'slow down', { 'retry-after-ms': '750' }),
    code: 'rate_limited',
    leads: 'retry',
    wait: 750,
  },
  {
    name: '429 date',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'slow down', httpDate),
    code: 'rate_limited',
    leads: 'retry',
    wait: 7_000,
  },
  {
    name: '429 past date',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'slow down', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    code: 'rate_limited',
    leads: 'retry',
  },
  {
    name: '429 an hour',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'weekly limit', { 'retry-after': '3600' }),
    code: 'rate_limited',
    leads: 'final',
  },
  {
    name: '429 never',
    api: 'anthropic',
    fault: anthropic(429, 'rate_limit_error', 'monthly limit', { 'x-should-retry': 'false' }),
    code: 'rate_limited',
    leads: 'final',
  },
  {
    name: '500',
    api: 'anthropic',
    fault: anthropic(500, 'api_error', 'Internal server error'),
    code: 'server_error',
    leads: 'retry',
  },
  {
    name: '500 never',
    api: 'anthropic',
    fault: anthropic(500, 'api_error', 'no', { 'x-should-retry': 'false' }),
    code: 'server_error',
    leads: 'final',
  },
  {
    name: '529',
    api: 'anthropic',
    fault: anthropic(529, 'overloaded_error', 'Overloaded'),
    code: 'overloaded',
    leads: 'foreground',
  },
  {
    name: '200 error event',
    api: 'anthropic',
    fault: {
      kind: 'noise',
      at: 0,
      bytes: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Internal"}}\n\n',
    },
    code: 'server_error',
    leads: 'retry',
  },
  {
    name: '200 json error',
    api: 'anthropic',
    fault: anthropic(200, 'overloaded_error', 'Overloaded'),
    code: 'overloaded',
    leads: 'foreground',
  },
  { name: '200 page', api: 'anthropic', fault: page(200, 'Welcome'), code: 'not_found', leads: 'final' },
  {
    name: '307',
    api: 'anthropic',
    fault: { kind: 'answer', status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
    code: 'not_found',
    leads: 'final',
  },
  { name: 'reset', api: 'anthropic', fault: { kind: 'reset' }, code: 'connection_lost', leads: 'retry' },
  {
    name: '400 context',
    api: 'chat',
    fault: openai(
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 140231 tokens.",
      { code: 'context_length_exceeded' },
    ),
    code: 'context_exceeded',
    leads: 'final',
  },
  {
    name: '400 output does not fit',
    api: 'chat',
    fault: openai(400, chatOverflow, { code: 'context_length_exceeded' }),
    code: 'context_exceeded',
    leads: 'shrink',
  },
  {
    name: '429 in words',
    api: 'chat',
    fault: openai(429, 'Rate limit reached for m. Please try again in 1.4s.', { code: 'rate_limit_exceeded' }),
    code: 'rate_limited',
    leads: 'retry',
    wait: 1_400,
  },
  {
    name: '429 quota',
    api: 'chat',
    fault: openai(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
    code: 'forbidden',
    leads: 'final',
  },
  { name: '502 page', api: 'chat', fault: page(502, 'Bad Gateway'), code: 'server_error', leads: 'retry' },
  {
    name: '503',
    api: 'chat',
    fault: openai(503, 'The engine is currently overloaded, please try again later'),
    code: 'overloaded',
    leads: 'foreground',
  },
  {
    name: '401',
    api: 'responses',
    fault: openai(401, 'Incorrect API key provided', { code: 'invalid_api_key' }),
    code: 'unauthorized',
    leads: 'final',
  },
  { name: '504', api: 'responses', fault: page(504, 'Gateway Timeout'), code: 'server_error', leads: 'retry' },
  {
    name: '200 failed',
    api: 'responses',
    fault: {
      kind: 'noise',
      at: 0,
      bytes:
        'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"Oops"}}}\n\n',
    },
    code: 'server_error',
    leads: 'retry',
  },
]
