import type { Attributes, SpanEvent, SpanPlace, TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { spanIdOf, traceOfRun } from '../../rules/telemetry/trace-ids.ts'
import { getOrMake } from '../fold/fold.ts'

/** The beginning of a span: `key` is its name among the open spans of its owner, `under` the keys of those it may lie in. */
export interface SpanStart extends Pick<TraceSpan, 'name' | 'attributes'> {
  readonly key: string
  readonly under: readonly string[]
  /** Unique in the run: the entry that it begins with. */
  readonly id: string
  readonly at: number
  readonly kind?: TraceSpan['kind']
  readonly links?: readonly SpanPlace[]
}

/** The moment and the attributes that a span ends with. */
export interface SpanEnd {
  readonly key: string
  readonly at: number
  readonly attributes?: Attributes
  readonly failed?: boolean
}

type OpenSpan = Omit<TraceSpan, 'to' | 'events'> & { readonly events: SpanEvent[] }

/** The open spans of one owner, outermost first, and the time of the latest line of its journal. */
interface Owner {
  readonly open: Map<string, OpenSpan>
  last: number
}

/**
 * The spans of one run. What an owner's spans are depends on the owner's journal alone, so that every order in which journals can be
 * read gives the same spans; only the run's own span is shared.
 */
export interface SpanState {
  readonly run: string
  readonly traceId: string
  /** The span that the run's own lies in. */
  readonly outer: string | null
  /** The span that lives of members lie in. */
  root: string | null
  readonly owners: Map<string, Owner>
  /** Spans that are over and were not taken yet. */
  ended: TraceSpan[]
  /** Spans whose process ended before they did. */
  abandoned: number
}

/** The key of the run's own span. */
export const runKey = 'run'

/** @param traceparent the context in which the run was started */
export function noSpans(run: string, traceparent?: string): SpanState {
  const { traceId, parent } = traceOfRun(run, traceparent)
  const outer = parent?.spanId ?? null
  return { run, traceId, outer, root: outer, owners: new Map(), ended: [], abandoned: 0 }
}

export function startSpan(spans: SpanState, owner: string, start: SpanStart): void {
  ownerOf(spans, owner).open.set(start.key, opened(spans, owner, start))
}

/** Ends a span; changes nothing where no such span is open. */
export function endSpan(spans: SpanState, owner: string, end: SpanEnd): void {
  const { open } = ownerOf(spans, owner)
  const span = open.get(end.key)
  if (span) spans.ended.push(closed(span, end))
  open.delete(end.key)
}

/** Adds a span that is over as soon as it is known. */
export function addSpan(spans: SpanState, owner: string, { to = 0, failed = false, ...start }: KnownSpan): void {
  spans.ended.push(closed(opened(spans, owner, { ...start, key: '' }), { at: to, failed }))
}

/** A span whose end is known with its beginning; `to` is missing for one that takes no time. */
type KnownSpan = Omit<SpanStart, 'key'> & { readonly to?: number; readonly failed?: boolean }

export function isSpanOpen(spans: SpanState, owner: string, key: string): boolean {
  return ownerOf(spans, owner).open.has(key)
}

/** Adds an event to the innermost of these spans that is open. */
export function noteEvent(
  spans: SpanState,
  owner: string,
  event: SpanEvent & { readonly in: readonly string[] },
): void {
  const { in: keys, ...noted } = event
  innermost(spans, owner, keys)?.events.push(noted)
}

export function noteTime(spans: SpanState, owner: string, at: number): void {
  const each = ownerOf(spans, owner)
  each.last = Math.max(each.last, at)
}

/** The process of an owner is gone: the spans that it left open end with the latest line of its journal. */
export function abandonSpans(spans: SpanState, owner: string): void {
  const { open, last: at } = ownerOf(spans, owner)
  const attributes = { 'error.type': 'abandoned', 'troupe.abandoned': true }
  spans.abandoned += open.size
  for (const key of [...open.keys()].toReversed()) endSpan(spans, owner, { key, at, failed: true, attributes })
}

function ownerOf({ owners }: SpanState, owner: string): Owner {
  return getOrMake(owners, owner, () => ({ open: new Map<string, OpenSpan>(), last: 0 }))
}

function innermost(spans: SpanState, owner: string, keys: readonly string[]): OpenSpan | undefined {
  const { open } = ownerOf(spans, owner)
  return open.get(keys.find((key) => open.has(key)) ?? '')
}

function opened(spans: SpanState, owner: string, start: SpanStart): OpenSpan {
  const { key, under, id, at: from, kind = 'internal', links = [], name, attributes } = start
  const spanId = spanIdOf(spans.run, id)
  const parentId = key === runKey ? spans.outer : (innermost(spans, owner, under)?.spanId ?? spans.root)
  if (key === runKey) spans.root = spanId
  return { traceId: spans.traceId, spanId, parentId, name, kind, from, attributes, links, events: [], failed: false }
}

function closed(span: OpenSpan, { at, attributes, failed = false }: Omit<SpanEnd, 'key'>): TraceSpan {
  return { ...span, to: Math.max(at, span.from), attributes: { ...span.attributes, ...attributes }, failed }
}
