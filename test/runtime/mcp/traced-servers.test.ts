import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTrace } from '../../../src/runtime/telemetry/read-trace.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { collector } from '../../support/otlp-collector.ts'
import { play } from '../support/stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/traced-server-process.ts', import.meta.url))
const lead = {
  steps: [
    { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'clerk', task: 'Go.' }] } }] },
    { say: '{{mail.clerk}}' },
  ],
}
const look = (at: string) => ({ tool: 'mcp__eye__look', input: { at }, as: at })
const clerk = {
  steps: [
    { calls: [look('a'), look('b')] },
    { calls: [{ tool: 'mcp__eye__read_resource', input: { uri: 'page://one' } }] },
    { calls: [{ tool: 'mcp__eye__list_resources', input: {} }] },
    { say: '{{a.text}} {{b.text}}' },
  ],
}
const open = { mode: 'bypassPermissions', allowBypass: true, trusted: true } as const

const teamWith = (otlp: string, executor: string) => ({
  name: 'support',
  partition: 'relaxed',
  mcp_servers: { eye: { command: process.execPath, args: [program], env: { OTLP: otlp }, required: true } },
  coordinator: { prompt: 'You lead.', tools: ['mcp__eye'] },
  workers: { clerk: { description: 'Works.', prompt: 'You work.', tools: ['mcp__eye'], executor } },
})

test('the spans of a server lie below the calls that reached it, live and in the trace of the journals', async () => {
  const { url, spans } = await collector()
  const { run, result } = await play(teamWith(url, 'process'), { lead, clerk }, { ...open, otlp: url })
  expect(await result).toMatchObject({ status: 'completed' })
  const callOf = (name: string): string | undefined => {
    const own = spans.find((span) => span.name === name)
    const parent = spans.find(({ spanId }) => spanId === own?.parentSpanId)
    expect([own?.traceId, parent?.kind]).toEqual([parent?.traceId, 3])
    return parent?.attributes.find(({ key }) => key === 'gen_ai.tool.call.id')?.value['stringValue'] as string
  }
  const calls = ['tools/call look a', 'tools/call look b', 'resources/read', 'resources/list'].map(callOf)
  expect(new Set(calls).size).toBe(4)
  expect(calls).not.toContain(undefined)
  const later = readTrace(run.dir).spans.map(({ spanId }) => spanId)
  const sent = spans.filter(({ name }) => name.startsWith('execute_tool mcp__')).map(({ spanId }) => spanId)
  expect(sent.length).toBe(4)
  expect(later).toEqual(expect.arrayContaining(sent))
})

test('a prompt that a person calls belongs to the trace of the run', async () => {
  const { url, spans } = await collector()
  const script = { lead: { steps: [{ say: 'Read.' }] } }
  const { result } = await play(teamWith(url, 'in-process'), script, { ...open, otlp: url, task: '/mcp__eye__greet' })
  expect((await result).result).toBe('Read.')
  const traceOf = (name: string) => spans.find((span) => span.name === name)?.traceId
  expect(traceOf('prompts/get')).toBe(traceOf('invoke_workflow support'))
  expect(traceOf('prompts/get')).toBeDefined()
})

test('without traces a server is told of none, and of one that is not kept with its flag', async () => {
  const { url, spans } = await collector()
  const plain = await play(teamWith(url, 'in-process'), { lead, clerk }, open)
  expect((await plain.result).result).toBe('none none')
  const env = { ...bareEnv, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' }
  const unsampled = await play(teamWith(url, 'in-process'), { lead, clerk }, { ...open, env })
  expect((await unsampled.result).result).toMatch(/^00-\w{32}-\w{16}-00 00-\w{32}-\w{16}-00$/)
  expect(spans.filter(({ name }) => name.startsWith('execute_tool'))).toEqual([])
})
