import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { postMetrics, postSpans, type OtlpEndpoint } from '../../../src/adapters/telemetry/post-otlp.ts'
import type { Metrics, TraceSpan } from '../../../src/protocol/telemetry/trace-span.ts'
import { collector, comparable } from '../../support/otlp-collector.ts'

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const span: TraceSpan = {
  ...ids,
  parentId: '00f067aa0ba902b7',
  name: 'execute_tool Bash',
  kind: 'client',
  from: 1_795_731_864_783,
  to: 1_795_731_864_783.5,
  attributes: { text: 'ü', whole: -7, part: 0.25, yes: true, list: ['a', 'b'] },
  events: [{ name: 'model.retried', at: 1_795_731_864_783, attributes: { 'troupe.attempt': 2 } }],
  links: [{ traceId: ids.traceId, spanId: '00f067aa0ba902b8' }],
  failed: true,
}
const metrics: Metrics = {
  from: 1_795_731_864_000,
  to: 1_795_731_865_000,
  metrics: [
    {
      name: 'cost',
      unit: 'USD',
      description: 'd',
      kind: 'sum',
      bounds: [],
      points: [{ attributes: { a: 'x' }, value: 0.5 }],
    },
    { name: 'depth', unit: '1', description: 'd', kind: 'gauge', bounds: [], points: [{ attributes: {}, value: 3 }] },
    {
      name: 'wait',
      unit: 's',
      description: 'd',
      kind: 'histogram',
      bounds: [1, 4],
      points: [{ attributes: {}, count: 3, sum: 7.5, counts: [1, 1, 1] }],
    },
  ],
}

const endpoint = (url: string, more: Partial<OtlpEndpoint> = {}): OtlpEndpoint => ({
  url,
  headers: {},
  timeoutMs: 30_000,
  gzip: false,
  protobuf: false,
  ...more,
})

test.each([{ gzip: false }, { gzip: true }])(
  'JSON and protobuf tell a collector the same (gzip: $gzip)',
  async ({ gzip }) => {
    const [json, protobuf] = [await collector(), await collector()]
    for (const [{ url }, isProtobuf] of [
      [json, false],
      [protobuf, true],
    ] as const) {
      const to = { gzip, protobuf: isProtobuf, headers: { 'x-key': 'k' } }
      expect(await postSpans(endpoint(`${url}/v1/traces`, to), [span], { 'service.name': 'troupe' })).toBeNull()
      expect(await postMetrics(endpoint(`${url}/v1/metrics`, to), metrics, {})).toBeNull()
    }
    expect(comparable(json.spans)).toEqual(comparable(protobuf.spans))
    expect(comparable(json.spans)).toEqual([
      {
        ...ids,
        parentSpanId: '00f067aa0ba902b7',
        name: 'execute_tool Bash',
        kind: 3,
        failed: true,
        startTimeUnixNano: '1795731864783000000',
        endTimeUnixNano: '1795731864783500000',
        attributes: [
          ['text', { stringValue: 'ü' }],
          ['whole', { intValue: '-7' }],
          ['part', { doubleValue: 0.25 }],
          ['yes', 1],
          ['list', { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } }],
        ],
        events: ['model.retried'],
        links: [[ids.traceId, '00f067aa0ba902b8']],
      },
    ])
    const [cost, depth, wait] = json.metrics
    expect(cost?.['sum']).toMatchObject({
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [{ asDouble: 0.5 }],
    })
    expect(depth?.['gauge']).toMatchObject({ dataPoints: [{ asDouble: 3 }] })
    expect(wait?.['histogram']).toMatchObject({
      dataPoints: [{ count: '3', sum: 7.5, bucketCounts: ['1', '1', '1'], explicitBounds: [1, 4] }],
    })
    expect(protobuf.metrics).toMatchObject([
      { name: 'cost', sum: { aggregationTemporality: 2, dataPoints: [{ asDouble: 0.5 }] } },
      { name: 'depth', gauge: { dataPoints: [{ asDouble: 3 }] } },
      { name: 'wait', histogram: { dataPoints: [{ count: '3', sum: 7.5, bucketCounts: ['1', '1', '1'] }] } },
    ])
    expect(json.requests[0]?.headers).toMatchObject({ 'x-key': 'k' })
  },
)

test('an answer that passes is asked for again, and so is a connection that was cut', async () => {
  const { url, answers, spans, requests } = await collector()
  answers.push({ status: 503 }, null)
  expect(await postSpans(endpoint(`${url}/v1/traces`), [span], {})).toBeNull()
  expect(spans).toHaveLength(1)
  expect(requests).toHaveLength(3)
})

test('a refusal is said once and not repeated, and headers go nowhere else', async () => {
  const { url, answers, requests } = await collector()
  answers.push({ status: 401 }, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })
  expect(await postSpans(endpoint(`${url}/v1/traces`), [span], {})).toBe(
    `${url}/v1/traces does not take telemetry: 401 Unauthorized`,
  )
  expect(await postSpans(endpoint(`${url}/v1/traces`), [span], {})).toContain('302 Found')
  expect(requests.every(({ path }) => path === '/v1/traces')).toBe(true)
})

test('a collector that took a part says so', async () => {
  const { url, answers } = await collector()
  const body = JSON.stringify({ partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } })
  answers.push({ status: 200, headers: { 'content-type': 'application/json' }, body })
  expect(await postSpans(endpoint(`${url}/v1/traces`), [span], {})).toBe(`${url}/v1/traces rejected 1 items: too old`)
})

test.each(['99999999', 'Infinity'])(
  'a collector that wants to be asked again in %s s is not flooded',
  async (seconds) => {
    const { url, answers, requests } = await collector()
    answers.push(...Array.from({ length: 200 }, () => ({ status: 503, headers: { 'retry-after': seconds } })))
    expect(await postSpans(endpoint(`${url}/v1/traces`, { timeoutMs: 300 }), [span], {})).toContain(url)
    expect(requests.length).toBeLessThan(5)
  },
)

test('an answer without an end is not read to its end', async () => {
  const left = Promise.withResolvers<boolean>()
  let sent = 0
  const server = createServer((request, response) => {
    request.resume()
    const more = (): void => {
      sent += 1 << 16
      if (sent > 1 << 26) left.resolve(false)
      else response.write('x'.repeat(1 << 16))
    }
    response.on('drain', more).on('close', () => left.resolve(true))
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const posted = postSpans(endpoint(`http://127.0.0.1:${port}/v1/traces`, { timeoutMs: 60_000 }), [span], {})
  expect(await left.promise).toBe(true)
  server.closeAllConnections()
  server.close()
  expect(await posted).toBeNull()
})
