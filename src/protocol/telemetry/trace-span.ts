/** Values that an attribute of a span or of a point may have. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A span of any trace, for whoever refers to it: 32 and 16 hexadecimal digits. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

export interface SpanEvent {
  readonly name: string
  readonly at: number
  readonly attributes: Attributes
}

/** A span as OpenTelemetry knows it, before any encoding. Times are milliseconds since the epoch. */
export interface TraceSpan extends SpanPlace {
  /** Null for the root of a trace. */
  readonly parentId: string | null
  readonly name: string
  readonly kind: 'internal' | 'client' | 'producer' | 'consumer'
  readonly from: number
  readonly to: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanPlace[]
  readonly failed: boolean
}

/** One value of a metric, of all that has these attributes. */
export type MetricPoint = { readonly attributes: Attributes } & (
  | { readonly value: number }
  | {
      readonly count: number
      readonly sum: number
      /** Values up to each bound of the metric, and above the last: one count more than there are bounds. */
      readonly counts: readonly number[]
    }
)

/** A metric of a run with all its points, from the run's first fact until now. */
export interface Metric {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  /** Upper bounds of a histogram's buckets. */
  readonly bounds: readonly number[]
  readonly points: readonly MetricPoint[]
}

/** Metrics, with the stretch of time that their values are of. */
export interface Metrics {
  readonly from: number
  readonly to: number
  readonly metrics: readonly Metric[]
}
