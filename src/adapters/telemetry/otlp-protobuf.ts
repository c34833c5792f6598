import { createRequire } from 'node:module'
import type { Attributes, Metric, Metrics, SpanPlace, TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { scopeName } from './otlp-json.ts'

/** The optional package that writes OTLP in protobuf; no script runs when it is installed. */
const serializerPackage = '@opentelemetry/otlp-transformer'

interface Serializer {
  serializeRequest(data: unknown): Uint8Array
}

/** Writers of the two requests in protobuf. */
export interface ProtobufWriters {
  traces(spans: readonly TraceSpan[], resource: Attributes): Uint8Array
  metrics(metrics: Metrics, resource: Attributes): Uint8Array
}

/**
 * Loads the package of OpenTelemetry that writes protobuf.
 *
 * @throws when it is not installed, naming it
 */
export function protobufWriters(): ProtobufWriters {
  const { ProtobufTraceSerializer, ProtobufMetricsSerializer } = load()
  return {
    traces: (spans, resource) => ProtobufTraceSerializer.serializeRequest(readableSpans(spans, resource)),
    metrics: (metrics, resource) => ProtobufMetricsSerializer.serializeRequest(resourceMetrics(metrics, resource)),
  }
}

function load(): { ProtobufTraceSerializer: Serializer; ProtobufMetricsSerializer: Serializer } {
  try {
    return createRequire(import.meta.url)(serializerPackage) as ReturnType<typeof load>
  } catch (cause) {
    const remedy = 'or let OTEL_EXPORTER_OTLP_PROTOCOL say http/json, which needs no package'
    throw new Error(
      `OTLP in protobuf needs a package: npm install ${serializerPackage} @opentelemetry/api; ${remedy}`,
      {
        cause,
      },
    )
  }
}

const spanKinds = { internal: 0, client: 2, producer: 3, consumer: 4 } as const

/** Spans in the shape that the SDK of OpenTelemetry hands to exporters. */
function readableSpans(spans: readonly TraceSpan[], resource: Attributes): readonly object[] {
  const shared = { resource: { attributes: resource }, instrumentationScope: scope }
  return spans.map((span) => ({
    ...shared,
    name: span.name,
    kind: spanKinds[span.kind],
    spanContext: () => contextOf(span),
    ...(span.parentId === null
      ? {}
      : { parentSpanContext: contextOf({ traceId: span.traceId, spanId: span.parentId }) }),
    startTime: hrTime(span.from),
    endTime: hrTime(span.to),
    duration: hrTime(span.to - span.from),
    ended: true,
    status: { code: span.failed ? 2 : 0 },
    attributes: span.attributes,
    events: span.events.map(({ name, at, attributes }) => ({ name, time: hrTime(at), attributes })),
    links: span.links.map((link) => ({ context: contextOf(link) })),
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }))
}

function contextOf({ traceId, spanId }: SpanPlace) {
  return { traceId, spanId, traceFlags: 1 }
}

const scope = { name: scopeName }

const dataPointTypes = { histogram: 0, gauge: 2, sum: 3 } as const

function resourceMetrics({ from, to, metrics }: Metrics, resource: Attributes): object {
  const times = { startTime: hrTime(from), endTime: hrTime(to) }
  return {
    resource: { attributes: resource },
    scopeMetrics: [{ scope, metrics: metrics.map((metric) => metricData(metric, times)) }],
  }
}

function metricData({ name, unit, description, kind, bounds, points }: Metric, times: object): object {
  return {
    descriptor: { name, unit, description, valueType: 1 },
    aggregationTemporality: 1,
    dataPointType: dataPointTypes[kind],
    isMonotonic: kind === 'sum',
    dataPoints: points.map((point) => ({
      ...times,
      attributes: point.attributes,
      value:
        'value' in point
          ? point.value
          : { count: point.count, sum: point.sum, buckets: { boundaries: bounds, counts: point.counts } },
    })),
  }
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): readonly [number, number] {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}
