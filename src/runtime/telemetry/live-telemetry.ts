import { postMetrics, postSpans, spansOfRequest } from '../../adapters/telemetry/post-otlp.ts'
import { metricsFold } from '../../projections/telemetry/metrics-fold.ts'
import { traceFold } from '../../projections/telemetry/trace-fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { traceOfRun } from '../../rules/telemetry/trace-ids.ts'
import type { Clock } from '../actors/clock.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

/** Spans that wait for a collector which does not answer. */
const mostWaiting = 20_000
/** Facts that are made into spans together, and how long the first one waits: many at a time cost a turn a fraction of one by one. */
const factsAtOnce = 1_000
const longestWaitMs = 5_000

/*
 * Owns the way of a run's spans and metrics to a collector while the run goes on.
 * Never: makes the run wait, fails it, or writes anything into it.
 * 1. It hears the facts that are journaled, and nothing else: what a collector does not take can be sent later from the journals.
 * 2. One request is on its way at a time; what waits is bounded, and what is left out is counted and said.
 */
export interface LiveTelemetry {
  hear(recorded: Recorded): void
  /** Sends the rest; settles within the time of one request for each signal. */
  close(): Promise<void>
}

export interface LiveRun {
  readonly run: string
  readonly team: string
  readonly traceparent?: string | undefined
  /** The facts of the run before this process led it: their spans were sent, those that are open go on. */
  readonly earlier: readonly Recorded[]
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly onProblem: (text: string) => void
}

/** @example const live = openLiveTelemetry(run, options); facts.subscribe(live.hear); await live.close() */
export function openLiveTelemetry(live: LiveRun, options: TelemetryOptions): LiveTelemetry {
  const { run, team, traceparent, earlier } = live
  const fold = traceFold({ run, team, traceparent, content: options.content })
  const metrics = metricsFold()
  const problems = new Set<string>()
  const tell = (problem: string): void => {
    if (!problems.has(problem)) live.onProblem(`${problem}; troupe trace ${run} sends the run again`)
    problems.add(problem)
  }
  const endpoint = isSampled(live, options) ? options.traces : null
  const out = openOutlet(async (spans) => {
    const problem = endpoint === null ? null : await attempted(() => postSpans(endpoint, spans, options.resource))
    if (problem !== null) tell(problem)
  })
  for (const recorded of earlier) fold.apply(recorded)
  fold.take()
  const heard = manyAtOnce<Recorded>(live.clock, (facts) => {
    for (const recorded of facts) {
      metrics.apply(recorded)
      fold.apply(recorded)
    }
    out.put(fold.take())
  })
  return {
    hear: heard.put,
    async close() {
      heard.take()
      fold.finish()
      out.put(fold.take())
      const leftOut = await out.close()
      if (leftOut > 0) tell(`${leftOut} spans were left out, since the collector was slow`)
      const { metrics: measured, resource } = options
      const read = metrics.read(fold.abandonedCount())
      const problem = measured === null ? null : await attempted(() => postMetrics(measured, read, resource))
      if (problem !== null) tell(problem)
    },
  }
}

/** Items that are taken together: many of them, or what there is after a while. */
function manyAtOnce<Item>(clock: LiveRun['clock'], taken: (items: readonly Item[]) => void) {
  const waiting: Item[] = []
  let timer: unknown = null
  const take = (): void => {
    clock.clearTimeout(timer)
    timer = null
    taken(waiting.splice(0))
  }
  return {
    take,
    put(item: Item): void {
      waiting.push(item)
      if (waiting.length >= factsAtOnce) take()
      else timer ??= clock.setTimeout(take, longestWaitMs)
    },
  }
}

/** A package that is missing is a problem like one of the collector. */
async function attempted(post: () => Promise<string | null>): Promise<string | null> {
  try {
    return await post()
  } catch (error) {
    return errorText(error)
  }
}

/** Spans on their way to the collector. */
function openOutlet(send: (spans: readonly TraceSpan[]) => Promise<void>) {
  const waiting: TraceSpan[] = []
  const state = { leftOut: 0, sending: null as Promise<void> | null }
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await send(waiting.splice(0, spansOfRequest))
    state.sending = null
  }
  return {
    put(spans: readonly TraceSpan[]): void {
      if (spans.length === 0) return
      const taken = spans.slice(0, Math.max(0, mostWaiting - waiting.length))
      state.leftOut += spans.length - taken.length
      waiting.push(...taken)
      if (waiting.length > 0) state.sending ??= drain()
    },
    /** @returns spans that were left out */
    async close(): Promise<number> {
      await state.sending
      return state.leftOut
    },
  }
}

/** The same answer in every process that sees the trace. Source: W3C Trace Context 2, random trace ids */
export function isSampled(
  { run, traceparent }: Pick<LiveRun, 'run' | 'traceparent'>,
  { ratio, followsParent }: TelemetryOptions,
): boolean {
  const { traceId, parent } = traceOfRun(run, traceparent)
  if (parent !== null && followsParent) return parent.sampled
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52
}
