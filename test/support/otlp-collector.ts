import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { decoded, metricsRequestMessage, traceRequestMessage } from './otlp-wire.ts'

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A span as a collector reads it, from either encoding. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events?: readonly { readonly name: string }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

export interface CollectedMetric {
  readonly name: string
  readonly [data: string]: unknown
}

/** An answer in place of 200: a status, or null for a connection that is cut. */
type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string } | null

/** A collector of OTLP over HTTP on this machine, which reads JSON and protobuf. */
export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  readonly metrics: CollectedMetric[]
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Answers of the next requests, in order. */
  readonly answers: Answer[]
}

export async function collector(): Promise<Collector> {
  const [spans, metrics, requests, answers]: [CollectedSpan[], CollectedMetric[], Collector['requests'], Answer[]] = [
    [],
    [],
    [],
    [],
  ]
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await buffer(request)
    const { url: path = '', headers } = request
    requests.push({ path, headers })
    const answer = answers.shift()
    if (answer === null) request.socket.destroy()
    else if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
    else {
      const told = readRequest(headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent, { path, headers })
      spans.push(...told.spans)
      metrics.push(...told.metrics)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    }
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics, requests, answers }
}

interface Told {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly CollectedMetric[] }[]
  }[]
}

function readRequest(body: Buffer, { path, headers }: Collector['requests'][number]) {
  const message = path.endsWith('/v1/traces') ? traceRequestMessage : metricsRequestMessage
  const isProtobuf = headers['content-type'] === 'application/x-protobuf'
  const told = (isProtobuf ? decoded(body, message) : JSON.parse(body.toString('utf8'))) as Told
  return {
    spans: (told.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    metrics: (told.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
  }
}

/** Spans of either encoding in one form, in the order of their ids. */
export function comparable(spans: readonly CollectedSpan[]): readonly object[] {
  return spans
    .map(
      ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
        startTimeUnixNano,
        endTimeUnixNano,
        attributes,
        events = [],
        links = [],
        status,
      }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
        startTimeUnixNano,
        endTimeUnixNano,
        attributes: attributes.map(({ key, value }) => [key, plain(value)]),
        events: events.map((event) => event.name),
        links: links.map((link) => [link.traceId, link.spanId]),
        failed: status.code === 2,
      }),
    )
    .toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1))
}

/** A truth value is 0 or 1 on the wire. */
function plain(value: KeyValue['value']): unknown {
  return 'boolValue' in value ? Number(value['boolValue']) : value
}
