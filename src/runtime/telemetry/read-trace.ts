import { postMetrics, postSpans, spansOfRequest } from '../../adapters/telemetry/post-otlp.ts'
import { traceRequest } from '../../adapters/telemetry/otlp-json.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { metricsFold } from '../../projections/telemetry/metrics-fold.ts'
import { traceFold } from '../../projections/telemetry/trace-fold.ts'
import type { Metrics, TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { traceOfRun } from '../../rules/telemetry/trace-ids.ts'
import { livingLeader } from '../runs/leader.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { NoTelemetry, type TelemetryOptions } from './telemetry-options.ts'

/** The spans and metrics of a run, as its journals tell them. */
export interface RunTrace {
  readonly run: string
  readonly trace_id: string
  /** The spans that are over, those of the same process in the order of their ends. */
  readonly spans: readonly TraceSpan[]
  /** Spans whose process ended before they did. */
  readonly abandoned: number
  /** Spans of a run that somebody leads, which are not over. */
  readonly open: number
  readonly metrics: Metrics
  /** Places of the journals that could not be read. */
  readonly problems: readonly string[]
}

/**
 * Reads the trace of a run from its journals: the spans that were sent while it ran, with the same ids.
 *
 * @param dir the run directory
 * @param options.content also what models and tools said
 * @throws NoTelemetry when it is no run
 * @example readTrace(dir).spans.filter(({ failed }) => failed)
 */
export function readTrace(dir: string, { content = false }: { readonly content?: boolean } = {}): RunTrace {
  const file = readRunFile(dir)
  if (file === null) throw new NoTelemetry(unreadableRun(dir))
  const { run, launch } = file
  const traceparent = launch?.traceparent
  const fold = traceFold({ run, team: file.team.name, traceparent, content })
  const metrics = metricsFold()
  const isLed = livingLeader(dir) !== null
  const { recorded, problems } = recordOfRun(dir)
  for (const each of recorded) {
    fold.apply(each)
    metrics.apply(each)
  }
  const open = fold.openCount()
  if (!isLed) fold.finish()
  const abandoned = fold.abandonedCount()
  const trace = { spans: fold.take(), abandoned, open: isLed ? open : 0, metrics: metrics.read(abandoned) }
  return { run, trace_id: traceOfRun(run, traceparent).traceId, ...trace, problems }
}

/** Sends a trace to a collector. @returns what went wrong, in words; null when all was taken */
export async function sendTrace(
  { spans, metrics }: RunTrace,
  { traces, metrics: measured, resource }: TelemetryOptions,
): Promise<string | null> {
  for (const each of batchesOf(spans)) {
    const problem = traces === null ? null : await postSpans(traces, each, resource)
    if (problem !== null) return problem
  }
  return measured === null ? null : postMetrics(measured, metrics, resource)
}

/** A trace as lines of a file. Source: OpenTelemetry specification, "OpenTelemetry Protocol File Exporter" */
export function traceLines({ spans }: RunTrace, { resource }: Pick<TelemetryOptions, 'resource'>): string {
  return batchesOf(spans)
    .map((each) => `${JSON.stringify(traceRequest(each, resource))}\n`)
    .join('')
}

function batchesOf(spans: readonly TraceSpan[]): readonly (readonly TraceSpan[])[] {
  const size = spansOfRequest
  return Array.from({ length: Math.ceil(spans.length / size) }, (_, n) => spans.slice(n * size, (n + 1) * size))
}
