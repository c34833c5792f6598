import type { Attributes, Metric, Metrics, SpanPlace, TraceSpan } from '../../protocol/telemetry/trace-span.ts'

/** The instrumentation scope of all that Troupe tells. */
export const scopeName = 'troupe'

const kinds = { internal: 1, client: 3, producer: 4, consumer: 5 } as const

/**
 * Spans as an `ExportTraceServiceRequest`.
 *
 * Source: OTLP 1, JSON Protobuf encoding (opentelemetry-proto, `trace/v1/trace.proto`)
 */
export function traceRequest(spans: readonly TraceSpan[], resource: Attributes) {
  const scopeSpans = [{ scope: { name: scopeName }, spans: spans.map(otlpSpan) }]
  return { resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans }] }
}

/** Metrics as an `ExportMetricsServiceRequest`. Source: opentelemetry-proto, `metrics/v1/metrics.proto` */
export function metricsRequest({ from, to, metrics }: Metrics, resource: Attributes) {
  const times = { startTimeUnixNano: nanos(from), timeUnixNano: nanos(to) }
  const scopeMetrics = [{ scope: { name: scopeName }, metrics: metrics.map((each) => otlpMetric(each, times)) }]
  return { resourceMetrics: [{ resource: { attributes: keyValues(resource) }, scopeMetrics }] }
}

function otlpSpan(span: TraceSpan) {
  return {
    ...place(span),
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanos(span.from),
    endTimeUnixNano: nanos(span.to),
    attributes: keyValues(span.attributes),
    events: span.events.map(({ name, at, attributes }) => ({
      timeUnixNano: nanos(at),
      name,
      attributes: keyValues(attributes),
    })),
    links: span.links.map(place),
    status: span.failed ? { code: 2 } : {},
    flags: 1,
  }
}

function place({ traceId, spanId }: SpanPlace): SpanPlace {
  return { traceId, spanId }
}

function otlpMetric({ name, unit, description, kind, bounds, points }: Metric, times: object) {
  const dataPoints = points.map((point) => {
    const shared = { attributes: keyValues(point.attributes), ...times }
    if ('value' in point) return { ...shared, asDouble: point.value }
    const { count, sum, counts } = point
    return { ...shared, count: String(count), sum, bucketCounts: counts.map(String), explicitBounds: bounds }
  })
  const head = { name, unit, description }
  if (kind === 'gauge') return { ...head, gauge: { dataPoints } }
  const data = { aggregationTemporality: 2, dataPoints }
  return kind === 'sum' ? { ...head, sum: { ...data, isMonotonic: true } } : { ...head, histogram: data }
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: Attributes[string]) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Nanoseconds since the epoch, which no number holds. */
function nanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000))}000`
}
