import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRunFile } from '../../../src/adapters/sessions/read-run.ts'
import { broadcast } from '../../../src/runtime/actors/broadcast.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { runTelemetry } from '../../../src/runtime/telemetry/run-telemetry.ts'
import { readTrace } from '../../../src/runtime/telemetry/read-trace.ts'
import { NoTelemetry, telemetryOptions } from '../../../src/runtime/telemetry/telemetry-options.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { collector, comparable } from '../../support/otlp-collector.ts'
import { play } from '../support/stage.ts'

const duo = {
  name: 'duo',
  coordinator: { prompt: 'p' },
  workers: { ana: { description: 'd', prompt: 'p', tools: ['LS'] } },
}
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] },
      { say: 'All is well.' },
    ],
  },
  ana: { steps: [{ calls: [{ tool: 'LS', input: { path: '.' } }] }, { say: 'Seen.' }] },
}
const outer = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('without telemetry nothing listens, nothing is timed and no mail is stamped', async () => {
  const clock = { ...systemClock(), setTimeout: () => expect.unreachable('a timer') }
  const led = { run: { id: 'duo-1' }, team: { name: 'duo' }, clock, earlier: { recorded: [] } }
  expect(runTelemetry(led, { env: { OTEL_SERVICE_NAME: 'x' } })).toBeNull()
  const { run, result, recorded } = await play(duo, script)
  await result
  expect(JSON.stringify([recorded, readRunFile(run.dir)?.launch])).not.toContain('traceparent')
})

test('a run that is traced tells a collector what its journals tell later, and does the same as any other', async () => {
  const { url, spans, metrics } = await collector()
  const plain = await play(duo, script)
  await plain.result
  const { run, result } = await play(duo, script, { otlp: url, env: { ...bareEnv, TRACEPARENT: outer } })
  expect(await result).toMatchObject({ status: 'completed', result: 'All is well.' })
  const replayed = await collector()
  const { sendTrace } = await import('../../../src/runtime/telemetry/read-trace.ts')
  const options = telemetryOptions({ env: {}, otlp: replayed.url })
  expect(options && (await sendTrace(readTrace(run.dir), options))).toBeNull()
  expect(comparable(spans)).toEqual(comparable(replayed.spans))
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([outer.slice(3, 35)]))
  expect(metrics.map(({ name }) => name)).toContain('gen_ai.client.token.usage')
  const types = (dir: string) =>
    recordOfRun(dir)
      .recorded.map(({ owner, entry }) => `${owner} ${entry.type}`)
      .toSorted()
  expect(types(run.dir)).toEqual(types(plain.run.dir))
  const mails = recordOfRun(run.dir).recorded.flatMap(({ entry }) =>
    entry.type === 'mail.sent' ? [entry.envelope] : [],
  )
  const sent = spans.filter(({ name }) => name.startsWith('send '))
  expect(new Set(mails.map(({ traceparent }) => traceparent?.slice(36, 52)))).toEqual(
    new Set(sent.map(({ spanId }) => spanId)),
  )
})

test('a collector that is not there is said, and stops nothing', async () => {
  const problems: string[] = []
  const env = { ...bareEnv, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '50' }
  const onTelemetryProblem = (text: string) => problems.push(text)
  const { run, result } = await play(duo, script, { env, onTelemetryProblem })
  expect(await result).toMatchObject({ status: 'completed' })
  expect(problems).toEqual([
    expect.stringMatching(
      /^http:\/\/127.0.0.1:9\/v1\/traces does not take telemetry: .+; troupe trace duo-\w+ sends the run again$/,
    ),
    expect.stringContaining('/v1/metrics does not take telemetry'),
  ])
  expect(readTrace(run.dir).spans.length).toBeGreaterThan(5)
})

test('a variable that cannot be used is said, and stops nothing', async () => {
  const problems: string[] = []
  const env = { ...bareEnv, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const { result } = await play(duo, script, { env, onTelemetryProblem: (text) => problems.push(text) })
  expect(await result).toMatchObject({ status: 'completed' })
  expect(problems).toEqual([expect.stringContaining('http/json or http/protobuf, not as grpc')])
})

test.each([
  ['an unsampled parent', '-00', { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, false],
  ['a sampler that follows nobody', '-00', { OTEL_TRACES_SAMPLER: 'always_on' }, true],
  ['a sampled parent', '-01', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, true],
  ['a share of none', '-01', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, false],
  ['a share of all', '-01', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, true],
])('%s decides whether spans are sent; metrics are', async (_, flags, sampler, isSent) => {
  const { url, spans, metrics } = await collector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...sampler }
  const facts = broadcast<Parameters<NonNullable<ReturnType<typeof runTelemetry>>['hear']>[0]>()
  const earlier = { recorded: [] }
  const traceparent = `${outer.slice(0, -3)}${flags}`
  const led = { run: { id: 'duo-1' }, team: { name: 'duo' }, clock: systemClock(), earlier, traceparent }
  const live = runTelemetry(led, { env })
  if (live) facts.subscribe(live.hear)
  const frame = { v: 1, seq: 1, id: 'team-1', parent: null, at: 5 } as const
  facts.publish({
    owner: 'team',
    entry: { ...frame, type: 'team.started', run: 'duo-1', team: 'duo', hash: 'h', task: 't' },
  })
  await live?.close()
  expect(spans).toHaveLength(isSent ? 1 : 0)
  expect(metrics).not.toEqual([])
})

test('an address without a scheme is refused as it was given', () => {
  const asGiven = new NoTelemetry('localhost:4318 is no http address of a collector, like http://localhost:4318')
  expect(() => telemetryOptions({ env: {}, otlp: 'localhost:4318' })).toThrow(asGiven)
  expect(() => telemetryOptions({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' } })).toThrow(asGiven)
})

test('the variables of OpenTelemetry say where, how and as whom', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/base/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/own',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb, x=1=2',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=ci',
    OTEL_SERVICE_NAME: 'b',
  }
  expect(telemetryOptions({ env })).toMatchObject({
    traces: { url: 'https://t.example/own', headers: { 'api-key': 'a,b', x: '1=2' }, gzip: true, protobuf: false },
    metrics: { url: 'https://c.example/base/v1/metrics', protobuf: true },
    resource: { 'service.name': 'b', 'deployment.environment.name': 'ci' },
    content: false,
  })
  expect(telemetryOptions({ env, otlp: 'http://here:4318' })?.traces?.url).toBe('http://here:4318/v1/traces')
  expect(telemetryOptions({ env: { ...env, OTEL_SDK_DISABLED: 'true' } })).toBeNull()
  expect(telemetryOptions({ env: { ...env, OTEL_TRACES_EXPORTER: 'none' } })?.traces).toBeNull()
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://x'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no-pair'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ] as const)
    expect(() => telemetryOptions({ env: { ...env, [name]: value } })).toThrow(NoTelemetry)
})

test('a directory that is no run is named', () => {
  expect(() => readTrace(join('/no', 'such'))).toThrow(NoTelemetry)
})
