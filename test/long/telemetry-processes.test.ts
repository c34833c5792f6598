import { expect, test } from 'vitest'
import { readMember } from '../../src/adapters/sessions/read-run.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { readTrace, sendTrace } from '../../src/runtime/telemetry/read-trace.ts'
import { telemetryOptions } from '../../src/runtime/telemetry/telemetry-options.ts'
import { bareEnv } from '../support/bare-env.ts'
import { collector, comparable, type CollectedSpan } from '../support/otlp-collector.ts'
import { play } from '../runtime/support/stage.ts'

const worker = { description: 'Looks.', prompt: 'You look.', tools: ['LS', 'Bash'], executor: 'process' }
const team = { name: 'trio', coordinator: { prompt: 'You lead.' }, workers: { ana: worker, bo: worker } }
const subtasks = ['ana', 'bo'].map((name) => ({ worker: name, task: 'Look.' }))
const script = {
  lead: { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Both looked.' }] },
  ana: {
    steps: [{ calls: [{ tool: 'Bash', input: { command: 'sleep 60 & kill -9 $PPID; wait' } }] }, { say: 'I looked.' }],
  },
  bo: { steps: [{ calls: [{ tool: 'LS', input: { path: '.' } }] }, { say: 'I looked, too.' }] },
}

test.each(['http/json', 'http/protobuf'])(
  'a collector gets the whole tree of three processes, one of them killed (%s)',
  async (protocol) => {
    const live = await collector()
    const env = { ...bareEnv, OTEL_EXPORTER_OTLP_ENDPOINT: live.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
    const { run, result } = await play(team, script, { env, mode: 'bypassPermissions', allowBypass: true })
    expect(await result).toMatchObject({ status: 'completed', result: 'Both looked.' })
    expect(readMember(run.dir, 'bo')?.pid).not.toBe(process.pid)
    const { recorded } = recordOfRun(run.dir)
    const count = (type: string): number => recorded.filter(({ entry }) => entry.type === type).length
    const named = (beginning: string): readonly CollectedSpan[] =>
      live.spans.filter(({ name }) => name.startsWith(beginning))
    const ids = new Set(live.spans.map(({ spanId }) => spanId))
    // Every span has another id, lies below one that was told, and belongs to one trace with one root.
    expect(ids.size).toBe(live.spans.length)
    expect(
      live.spans
        .filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '')
        .map(({ name }) => name),
    ).toEqual(['invoke_workflow trio'])
    expect(live.spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
    expect(new Set(live.spans.map(({ traceId }) => traceId)).size).toBe(1)
    // One for each fact that begins something.
    expect(named('invoke_agent')).toHaveLength(count('member.started'))
    expect(named('chat')).toHaveLength(count('model.requested'))
    expect(named('send')).toHaveLength(count('mail.sent'))
    expect(named('receive')).toHaveLength(count('mail.received'))
    expect(named('execute_tool')).toHaveLength(count('call.started'))
    for (const { links } of named('receive')) expect(ids).toContain(links?.[0]?.spanId)
    const lost = live.spans.filter(({ attributes }) => attributes.some(({ key }) => key === 'troupe.abandoned'))
    expect(lost.map(({ name }) => name).toSorted()).toEqual(['invoke_agent ana', 'turn 1'])
    expect(live.metrics.find(({ name }) => name === 'troupe.spans.abandoned')?.['sum']).toMatchObject({
      dataPoints: [{ asDouble: 2 }],
    })
    // The journals tell the same years later.
    const later = await collector()
    const options = telemetryOptions({ env, otlp: later.url })
    expect(options && (await sendTrace(readTrace(run.dir), options))).toBeNull()
    expect(comparable(later.spans)).toEqual(comparable(live.spans))
  },
)
