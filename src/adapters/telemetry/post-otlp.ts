import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Attributes, Metrics, TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { longestTimer } from '../../protocol/words/duration.ts'
import { metricsRequest, traceRequest } from './otlp-json.ts'
import { protobufWriters } from './otlp-protobuf.ts'

/** A collector's address for one signal, and how it wants to be spoken to. */
export interface OtlpEndpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** For a request with all its repetitions. */
  readonly timeoutMs: number
  readonly gzip: boolean
  readonly protobuf: boolean
}

/** Spans of one request: a collector takes 4 MB and more. */
export const spansOfRequest = 512

const longestAnswer = 1 << 20

/** Answers after which a client may ask again. Source: OTLP 1.0, "Retryable Response Codes" */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Posts spans to a collector.
 *
 * @returns what went wrong, in words for a person; null when the collector took all
 * @throws when the endpoint wants protobuf and its package is not installed
 */
export function postSpans(
  endpoint: OtlpEndpoint,
  spans: readonly TraceSpan[],
  resource: Attributes,
): Promise<string | null> {
  const body = endpoint.protobuf
    ? protobufWriters().traces(spans, resource)
    : JSON.stringify(traceRequest(spans, resource))
  return post(endpoint, body)
}

/** The same for metrics. */
export function postMetrics(endpoint: OtlpEndpoint, metrics: Metrics, resource: Attributes): Promise<string | null> {
  const body = endpoint.protobuf
    ? protobufWriters().metrics(metrics, resource)
    : JSON.stringify(metricsRequest(metrics, resource))
  return post(endpoint, body)
}

async function post(endpoint: OtlpEndpoint, body: string | Uint8Array): Promise<string | null> {
  const { url, headers, timeoutMs, gzip, protobuf } = endpoint
  const signal = AbortSignal.timeout(Math.min(timeoutMs, longestTimer))
  const sent: RequestInit = {
    method: 'POST',
    signal,
    // Headers hold keys: they go to the address that a person gave, and to no other.
    redirect: 'manual',
    headers: {
      ...headers,
      'content-type': protobuf ? 'application/x-protobuf' : 'application/json',
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    },
    body: gzip ? gzipSync(body) : body,
  }
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(url, sent).catch((error: unknown) => wordsOf(error))
    if (typeof answer !== 'string' && answer.ok) return rejected(answer, url)
    const status = typeof answer === 'string' ? answer : `${answer.status} ${answer.statusText}`.trim()
    const mayPass = typeof answer === 'string' || passing.has(answer.status)
    const waits = typeof answer === 'string' ? 0 : Number(answer.headers.get('retry-after') ?? 0) * 1_000
    if (typeof answer !== 'string') void answer.body?.cancel().catch(() => undefined)
    if (!mayPass || signal.aborted) return `${url} does not take telemetry: ${status}`
    try {
      await pause(Math.min(Math.max(waits || 0, 500 * 2 ** attempt), longestTimer), undefined, { signal })
    } catch {
      return `${url} does not take telemetry: ${status}`
    }
  }
}

const partSchema = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number().optional(),
    rejectedDataPoints: z.coerce.number().optional(),
    errorMessage: z.string().optional(),
  }),
})

/** A collector may take a part only, and says so in its answer. */
async function rejected(answer: Response, url: string): Promise<string | null> {
  const part = partSchema.safeParse(await saidIn(answer)).data?.partialSuccess ?? {}
  const count = part.rejectedSpans ?? part.rejectedDataPoints ?? 0
  return count > 0 ? `${url} rejected ${count} items: ${part.errorMessage ?? ''}` : null
}

/** The JSON of an answer; null for one that is none, or is longer than an answer of a collector. */
async function saidIn({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > longestAnswer) return null
    }
    return JSON.parse(text)
  } catch {
    return null
  }
}

function wordsOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
