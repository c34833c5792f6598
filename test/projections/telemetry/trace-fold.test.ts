import { fc, test as propertyTest } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { TraceSpan } from '../../../src/protocol/telemetry/trace-span.ts'
import { metricsFold } from '../../../src/projections/telemetry/metrics-fold.ts'
import { traceFold, type TracedRun } from '../../../src/projections/telemetry/trace-fold.ts'
import { appended, recordedOf, says, settled } from '../journal-of.ts'

const run = 'duo-01M8CZBF0TNSXCRDT4KRE9T27M'
const secret = 'a-secret-text'

type Told = readonly [owner: string, fact: Fact]

const started = (owner: string, incarnation = 'x'): Told => [
  owner,
  { type: 'member.started', incarnation, executor: 'process', pid: 7 },
]
const asked = (owner: string, turn = 1): Told => [owner, { type: 'model.requested', turn, model: 'anthropic/m-1' }]
const answered = (owner: string): Told => [owner, settled({ input: 10, output: 3, cache_read: 90 }, { cost_usd: 0.25 })]
const call = (owner: string, call_id: string, tool = 'Bash'): readonly [Told, Told] => [
  [owner, { type: 'call.started', call_id, tool }],
  [owner, { type: 'call.finished', call_id, tool, is_error: false, duration_ms: 500 }],
]
const envelope: Envelope = {
  v: 1,
  id: '01M8CZBF63WZKXK7EP9W0N2N3W',
  key: 'call:c1:0',
  from: 'lead@duo',
  sender: 'lead',
  seq: 1,
  to: 'ana@duo',
  kind: 'task',
  priority: 'normal',
  body: secret,
  sent_at: 5,
}
const teamStarted: Told = ['team', { type: 'team.started', run, team: 'duo', hash: 'h', task: secret }]
const ended: Told = ['team', { type: 'team.ended', status: 'completed', reason: 'completed', result: secret }]

/** A lead that delegates to ana, whose process is killed in a call and who begins anew. */
const story: readonly Told[] = [
  teamStarted,
  started('lead'),
  asked('lead'),
  ['lead', appended(says(secret, { id: 'c1', name: 'Delegate', input: { task: secret } }))],
  answered('lead'),
  ['lead', { type: 'call.started', call_id: 'c1', tool: 'Delegate' }],
  ['lead', { type: 'mail.sent', envelope }],
  ['lead', { type: 'call.finished', call_id: 'c1', tool: 'Delegate', is_error: false, duration_ms: 1 }],
  ['lead', { type: 'agent.parked', turn: 2 }],
  started('ana', 'first'),
  ['ana', { type: 'mail.received', envelope }],
  ['ana', { type: 'message.appended', message: userMessage(secret, 'runtime') }],
  asked('ana'),
  ['ana', appended(says('', { id: 'c2', name: 'Bash', input: { command: secret } }))],
  answered('ana'),
  [
    'ana',
    {
      type: 'permission.requested',
      call_id: 'c2',
      tool: 'Bash',
      request: 'q1',
      deadline: null,
      decision: { behavior: 'ask', source: 'mode', reason: secret },
    },
  ],
  [
    'ana',
    {
      type: 'permission.decided',
      call_id: 'c2',
      tool: 'Bash',
      request: 'q1',
      decision: { behavior: 'allow', source: 'user', reason: secret },
    },
  ],
  ['ana', { type: 'call.started', call_id: 'c2', tool: 'Bash' }],
  ['team', { type: 'member.crashed', member: 'ana', error: secret }],
  started('ana', 'second'),
  ['ana', { type: 'call.finished', call_id: 'c2', tool: 'Bash', is_error: true, duration_ms: 1 }],
  asked('ana', 2),
  [
    'ana',
    {
      type: 'hook.ran',
      event: 'Stop',
      hook: secret,
      source: 'user',
      outcome: 'success',
      duration_ms: 1,
      message: secret,
    },
  ],
  answered('ana'),
  ['ana', { type: 'agent.ended', turn: 2, reason: 'completed' }],
  ['ana', { type: 'member.gone', reason: secret }],
  ['lead', { type: 'member.gone', reason: secret }],
  ended,
]

function traced(recorded: readonly Recorded[], more: Partial<TracedRun> = {}) {
  const fold = traceFold({ run, team: 'duo', ...more })
  for (const each of recorded) fold.apply(each)
  fold.finish()
  return { spans: fold.take(), abandoned: fold.abandonedCount(), open: fold.openCount() }
}

/** Each span below its parent, as `parent > child`, in the order of their beginnings. */
function paths(spans: readonly TraceSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const path = (span: TraceSpan): string => {
    const parent = byId.get(span.parentId ?? '')
    return parent === undefined ? span.name : `${path(parent)} > ${span.name}`
  }
  return spans.toSorted((a, b) => a.from - b.from || b.to - a.to).map(path)
}

test('a run is a tree: lives, turns, and in them what was done', () => {
  const { spans, abandoned, open } = traced(recordedOf(...story))
  const [top, lead, ana] = ['invoke_workflow duo', 'invoke_agent lead', 'invoke_agent ana']
  expect(paths(spans)).toEqual([
    top,
    `${top} > ${lead}`,
    `${top} > ${lead} > turn 1`,
    `${top} > ${lead} > turn 1 > chat m-1`,
    `${top} > ${lead} > turn 1 > execute_tool Delegate`,
    `${top} > ${lead} > turn 1 > execute_tool Delegate > send task`,
    `${top} > ${ana}`,
    `${top} > ${ana} > receive task`,
    `${top} > ${ana} > turn 1`,
    `${top} > ${ana} > turn 1 > chat m-1`,
    `${top} > ${ana} > turn 1 > blocked_on_user`,
    `${top} > ${ana} > turn 1 > execute_tool Bash`,
    `${top} > ${ana}`,
    `${top} > ${ana} > execute_tool Bash`,
    `${top} > ${ana} > turn 2`,
    `${top} > ${ana} > turn 2 > chat m-1`,
    `${top} > ${ana} > turn 2 > hook Stop`,
  ])
  expect(open).toBe(0)
  const lost = spans.filter(({ attributes }) => attributes['troupe.abandoned'] === true)
  expect(lost.map(({ name, failed, to }) => [name, failed, to])).toEqual([
    ['execute_tool Bash', true, 1017],
    ['turn 1', true, 1017],
    ['invoke_agent ana', true, 1017],
  ])
  expect(abandoned).toBe(3)
})

test('mail is linked across members, and a run has the trace it was started in', () => {
  const { spans } = traced(recordedOf(...story))
  const [sent, received] = ['send task', 'receive task'].map((name) => spans.find((span) => span.name === name))
  expect(received?.links).toEqual([{ traceId: sent?.traceId, spanId: sent?.spanId }])
  expect(sent?.traceId).toMatch(/^[0-9a-f]{32}$/)
  const outer = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const within = traced(recordedOf(...story), { traceparent: `00-${outer.traceId}-${outer.spanId}-01` }).spans
  expect(new Set(within.map(({ traceId }) => traceId))).toEqual(new Set([outer.traceId]))
  expect(within.find(({ name }) => name === 'invoke_workflow duo')?.parentId).toBe(outer.spanId)
  expect(within.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId))
})

test('calls of servers have spans of their own, also where a model gives an id twice in a life', () => {
  const twice = [...call('lead', 'c0', 'mcp__github__search'), ...call('lead', 'c0', 'mcp__github__search')]
  const { spans } = traced(recordedOf(started('lead', 'one'), ...twice, started('lead', 'two'), ...twice))
  const ids = spans.filter(({ name }) => name.endsWith('mcp__github__search')).map(({ spanId }) => spanId)
  expect([ids.length, new Set(ids).size]).toEqual([4, 4])
})

test('content goes along only when it is asked for', () => {
  const said = (content: boolean): string => JSON.stringify(traced(recordedOf(...story), { content }).spans)
  expect(said(false)).not.toContain(secret)
  for (const name of ['input.messages', 'output.messages', 'tool.call.arguments'])
    expect(said(true)).toContain(`gen_ai.${name}`)
  expect(said(true)).toContain(secret)
})

test('model calls tell tokens as the conventions count them, and metrics sum them up', () => {
  const recorded = recordedOf(...story, ...call('lead', 'c3', 'mcp__github__search'))
  const { spans } = traced(recorded)
  expect(spans.find(({ name }) => name === 'chat m-1')).toMatchObject({
    kind: 'client',
    attributes: {
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 90,
      'gen_ai.response.finish_reasons': ['end'],
      'troupe.cost.usd': 0.25,
    },
  })
  expect(spans.find(({ name }) => name.endsWith('mcp__github__search'))).toMatchObject({
    kind: 'client',
    attributes: { 'mcp.method.name': 'tools/call', 'troupe.mcp.server': 'github' },
  })
  const metrics = metricsFold()
  for (const each of recorded) metrics.apply(each)
  const read = new Map(metrics.read(3).metrics.map((metric) => [metric.name, metric]))
  expect(read.get('gen_ai.client.token.usage')?.points[0]).toMatchObject({ count: 3, sum: 300 })
  expect(read.get('troupe.cost')?.points).toMatchObject([
    { attributes: { 'gen_ai.agent.name': 'lead' }, value: 0.25 },
    { attributes: { 'gen_ai.agent.name': 'ana' }, value: 0.5 },
  ])
  expect(read.get('troupe.mail.queue_depth')?.points).toMatchObject([
    { attributes: { 'gen_ai.agent.name': 'ana' }, value: 0 },
  ])
  expect(read.get('troupe.approval.duration')?.points).toMatchObject([{ count: 1, sum: 0.001 }])
  expect(read.get('troupe.spans.abandoned')?.points).toEqual([{ attributes: {}, value: 3 }])
})

propertyTest.prop([fc.array(fc.nat(), { minLength: story.length, maxLength: story.length })])(
  'journals in any order among each other give the same spans',
  (choices) => {
    const journals = [...Map.groupBy(recordedOf(...story), ({ owner }) => owner).values()]
    const heads = journals.map(() => 0)
    // The leader's journal begins and the members end before the run does.
    const [first, ...rest] = recordedOf(...story)
    const mixed: Recorded[] = first === undefined ? [] : [first]
    heads[journals.findIndex(([each]) => each === undefined || each.owner === 'team')] = 1
    for (const choice of choices.slice(0, rest.length)) {
      const open = journals.flatMap((journal, at) => ((heads[at] ?? 0) < journal.length ? [at] : []))
      const at = open[choice % open.length] ?? 0
      mixed.push(...(journals[at] ?? []).slice(heads[at], (heads[at] ?? 0) + 1))
      heads[at] = (heads[at] ?? 0) + 1
    }
    const sorted = (spans: readonly TraceSpan[]) => spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1))
    expect(mixed).toHaveLength(story.length)
    expect(sorted(traced(mixed).spans)).toEqual(sorted(traced(recordedOf(...story)).spans))
  },
)
