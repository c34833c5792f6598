import type { SpanPlace } from './trace-span.ts'

/** A place in a trace of somebody else, and whether that trace is recorded there. */
export interface TraceContext extends SpanPlace {
  readonly sampled: boolean
}

const written = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/**
 * Reads a `traceparent` of W3C Trace Context.
 *
 * @returns null for a text that is none: whoever gets one goes on without
 * @example traceContextOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')?.sampled // true
 */
export function traceContextOf(traceparent: string | undefined): TraceContext | null {
  const [, traceId, spanId, flags = ''] = written.exec(traceparent?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header for a place in a trace: `traceparentOf({ traceId, spanId, sampled: true })` → `00-…-…-01`. */
export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}
