import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Attributes, Metric, MetricPoint, Metrics } from '../../protocol/telemetry/trace-span.ts'
import { isPersonOutbox, memberName, personSender } from '../../protocol/words/ids.ts'
import { foldOverPaid, type Paid } from '../cost/paid.ts'
import { getOrMake, hearing } from '../fold/fold.ts'
import { providerAndModel } from './genai-attributes.ts'

type Described = Pick<Metric, 'unit' | 'description' | 'kind'> & { readonly bounds?: readonly number[] }

/** Bounds that the conventions give for these metrics. */
const tokenBounds = Array.from({ length: 14 }, (_, n) => 4 ** n)
const secondBounds = Array.from({ length: 14 }, (_, n) => 0.01 * 2 ** n)

const described = {
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    bounds: tokenBounds,
    description: 'Tokens of a model call',
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    bounds: secondBounds,
    description: 'Duration of a model call',
  },
  'troupe.tool.duration': {
    kind: 'histogram',
    unit: 's',
    bounds: secondBounds,
    description: 'Duration of a tool call',
  },
  'troupe.approval.duration': {
    kind: 'histogram',
    unit: 's',
    bounds: secondBounds,
    description: 'Wait for the answer of a person',
  },
  'troupe.cost': { kind: 'sum', unit: 'USD', description: 'Dollars spent on models' },
  'troupe.cache.tokens': {
    kind: 'sum',
    unit: '{token}',
    description: "Tokens read from a model's cache, and written to it",
  },
  'troupe.mail.queue_depth': {
    kind: 'gauge',
    unit: '{message}',
    description: 'Mail that was sent to a member and not received yet',
  },
  'troupe.spans.abandoned': { kind: 'sum', unit: '{span}', description: 'Spans whose process ended before they did' },
} as const satisfies Readonly<Record<string, Described>>

type MetricName = keyof typeof described

interface Tally {
  readonly attributes: Attributes
  readonly bounds: readonly number[]
  value: number
  count: number
  readonly counts: number[]
}

/** The metrics of a run so far. */
interface MetricState {
  from: number
  to: number
  readonly tallies: Map<MetricName, Map<string, Tally>>
  /** The beginnings of waits for a person, by member and call. */
  readonly waits: Map<string, number>
}

/** The metrics of a run, as its journals tell them. */
export interface MetricsFold {
  apply(recorded: Recorded): void
  /** @param abandoned spans that were, so far */
  read(abandoned: number): Metrics
}

/**
 * Folds the facts of a run into metrics: tokens, cost, durations, caches, waiting mail.
 * @example const fold = metricsFold(); recorded.forEach(fold.apply); fold.read(0).metrics
 */
export function metricsFold(): MetricsFold {
  const state: MetricState = { from: 0, to: 0, tallies: new Map(), waits: new Map() }
  const hear = hearingOf(state)
  return {
    apply(recorded) {
      state.from ||= recorded.entry.at
      state.to = Math.max(state.to, recorded.entry.at)
      hear(recorded)
      countPaid(state, recorded)
    },
    read(abandoned) {
      tallyOf(state, 'troupe.spans.abandoned', {}).value = abandoned
      const { from, to, tallies } = state
      return { from, to, metrics: [...tallies].map(([name, points]) => metricOf(name, [...points.values()])) }
    },
  }
}

function hearingOf(state: MetricState) {
  return hearing({
    'call.finished'({ tool, is_error: error, duration_ms: ms }, owner) {
      add(tallyOf(state, 'troupe.tool.duration', { 'gen_ai.tool.name': tool, ...agent(owner), error }), ms / 1_000)
    },
    'permission.requested': ({ at, call_id }, owner) => void state.waits.set(`${owner} ${call_id}`, at),
    'permission.decided'({ at, call_id, decision: { behavior } }, owner) {
      const since = state.waits.get(`${owner} ${call_id}`)
      if (since === undefined) return
      state.waits.delete(`${owner} ${call_id}`)
      add(tallyOf(state, 'troupe.approval.duration', { 'troupe.permission.behavior': behavior }), (at - since) / 1_000)
    },
    // Mail of people comes from no journal that is read here.
    'mail.sent'({ envelope: { to } }, owner) {
      if (!isPersonOutbox(owner)) add(tallyOf(state, 'troupe.mail.queue_depth', agent(memberName(to))), 1)
    },
    'mail.received'({ envelope: { from } }, owner) {
      if (from !== personSender) add(tallyOf(state, 'troupe.mail.queue_depth', agent(owner)), -1)
    },
  })
}

/** Counts each answer, and each attempt that was paid for. */
const countPaid = foldOverPaid((state: MetricState, spent: Paid, owner: string) => {
  const { usage, cost_usd } = spent
  const [provider, model] = providerAndModel(spent.model)
  const asked = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': model }
  const input = usage.input + usage.cache_read + usage.cache_write
  add(tallyOf(state, 'gen_ai.client.token.usage', { ...asked, 'gen_ai.token.type': 'input' }), input)
  add(tallyOf(state, 'gen_ai.client.token.usage', { ...asked, 'gen_ai.token.type': 'output' }), usage.output)
  if ('duration_ms' in spent) add(tallyOf(state, 'gen_ai.client.operation.duration', asked), spent.duration_ms / 1_000)
  if (cost_usd !== null)
    add(tallyOf(state, 'troupe.cost', { ...agent(owner), 'gen_ai.request.model': model }), cost_usd)
  add(tallyOf(state, 'troupe.cache.tokens', { ...asked, 'troupe.cache': 'read' }), usage.cache_read)
  add(tallyOf(state, 'troupe.cache.tokens', { ...asked, 'troupe.cache': 'write' }), usage.cache_write)
})

function tallyOf({ tallies }: MetricState, name: MetricName, attributes: Attributes): Tally {
  const points = getOrMake(tallies, name, () => new Map<string, Tally>())
  const bounds = boundsOf(name)
  const counts = (): number[] => Array.from({ length: bounds.length + 1 }, () => 0)
  return getOrMake(points, JSON.stringify(attributes), () => ({
    attributes,
    bounds,
    value: 0,
    count: 0,
    counts: counts(),
  }))
}

function add(tally: Tally, value: number): void {
  const place = tally.bounds.findIndex((bound) => value <= bound)
  const bucket = place < 0 ? tally.bounds.length : place
  tally.value += value
  tally.count += 1
  tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1
}

function agent(owner: string): Attributes {
  return { 'gen_ai.agent.name': owner }
}

function boundsOf(name: MetricName): readonly number[] {
  const metric: Described = described[name]
  return metric.bounds ?? []
}

function metricOf(name: MetricName, tallies: readonly Tally[]): Metric {
  const { kind, unit, description } = described[name]
  const points = tallies.map(({ attributes, value, count, counts }): MetricPoint =>
    kind === 'histogram' ? { attributes, count, sum: value, counts } : { attributes, value },
  )
  return { name, kind, unit, description, bounds: boundsOf(name), points }
}
