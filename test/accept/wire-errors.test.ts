import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureClasses, type Failure, type FailureCode } from '../../src/protocol/conversation/failure.ts'
import { listen } from '../contracts/model.ts'
import { isThere, modelFor, readJson, startWireServer, type WireServer } from './wire-server.ts'

/** What servers and gateways answer when they do not answer. */
interface Line {
  readonly id: string
  readonly kind: string
  readonly retry: boolean | string
  readonly wait_ms_min?: number
  readonly wait_ms_max?: number
}

const codes: Readonly<Record<string, readonly FailureCode[]>> = {
  context_overflow: ['context_exceeded'],
  too_large: ['context_exceeded'],
  bad_request: ['invalid_request'],
  bad_response: ['invalid_request'],
  billing: ['forbidden'],
  auth: ['unauthorized', 'forbidden'],
  not_found: ['not_found'],
  rate_limit: ['rate_limited'],
  server: ['server_error'],
  overloaded: ['overloaded'],
  network: ['connection_lost'],
}

let server: WireServer
beforeAll(async () => {
  if (isThere) server = await startWireServer()
  else console.warn('skipped: ../shared/accept/wire is absent')
})
afterAll(() => server?.stop())

// The answer that never comes is a test of the model's own patience, beside the models.
const lines = isThere
  ? (readJson('http-errors', '_index.json') as Line[]).filter(({ id }) => id !== 'http/hang' && hasFile(id))
  : []

function hasFile(id: string): boolean {
  try {
    return readJson('http-errors', `${id.slice('http/'.length)}.json`) !== null
  } catch {
    return false
  }
}

function mayRetry({ code, retry }: Failure): boolean {
  return retry !== false && failureClasses[code] === 'retry'
}

describe.skipIf(!isThere)('error answers', () => {
  test.for(lines)('$id is a failure of its kind', async ({ id, kind, retry, wait_ms_min, wait_ms_max }) => {
    const { message } = await listen(await modelFor(id, server.port))
    expect(message).toMatchObject({ stop: 'error', content: [] })
    const failure = message.failure as Failure
    expect(codes[kind]).toContain(failure.code)
    expect(mayRetry(failure)).toBe(typeof retry === 'boolean' ? retry : mayRetry(failure))
    const wait = failure.retry_after_ms ?? 0
    expect(wait).toBeGreaterThanOrEqual(wait_ms_min ?? 0)
    expect(wait).toBeLessThanOrEqual(wait_ms_max ?? Number.POSITIVE_INFINITY)
    expect(JSON.stringify(message)).not.toContain('test-key')
  })
})
