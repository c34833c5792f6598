import { traceContextOf, traceparentOf, type TraceContext } from '../../protocol/telemetry/trace-context.ts'
import type { SpanPlace } from '../../protocol/telemetry/trace-span.ts'
import { ulidDigits } from '../../protocol/words/ids.ts'

/**
 * The trace of a run and the place that its first span has there. A ULID has the 128 bits of a trace id, the last 80 of
 * them random, as W3C Trace Context wants them.
 *
 * @param run `<team>-<ulid>`
 * @param traceparent the context in which the run was started, where there is one
 * @example traceOfRun('review-01M8CZBF0TNSXCRDT4KRE9T27M').traceId // '01a219f5bc1ad67b…'
 */
export function traceOfRun(run: string, traceparent?: string): { traceId: string; parent: TraceContext | null } {
  const given = traceContextOf(traceparent)
  const traceId = given?.traceId ?? (ulidBits(run.slice(-26)) || hash(`${run}/`) + hash(run))
  return { traceId, parent: given?.spanId === spanIdOf(run, own) ? null : given }
}

/** The key of a place that no span has: a run that is in nobody's trace has a context, too. */
const own = 'run'

/** The context of a traced run: the one it was started in, or one of its own, with the decision whether its spans are kept. */
export function traceparentOfRun(run: string, outer: string | undefined, sampled = true): string {
  const { traceId, parent } = traceOfRun(run, outer)
  return traceparentOf(parent ?? { traceId, spanId: spanIdOf(run, own), sampled })
}

/** The same id for the same run and key everywhere: a span of an old run is the one that was exported live. */
export function spanIdOf(run: string, key: string): string {
  return hash(`${run} ${key}`)
}

/** The key of the span of a mail that is sent. */
export function mailKey(mail: string): string {
  return `mail ${mail}`
}

/** The context that a mail of a traced run carries. */
export function mailTraceparent(run: string, traceparent: string | undefined, mail: string): string | undefined {
  return spanTraceparent({ run, traceparent }, mailKey(mail))
}

/** A run, and the context that it was launched with where it is traced. */
export interface LaunchedTrace {
  readonly run: string
  readonly traceparent: string | undefined
}

/** The context of a span of a traced run; undefined where the run is not traced. */
export function spanTraceparent({ run, traceparent }: LaunchedTrace, key: string): string | undefined {
  const launched = traceContextOf(traceparent)
  return launched === null ? undefined : traceparentOf({ ...launched, spanId: spanIdOf(run, key) })
}

/**
 * The key of the span of a call to an MCP server. The server hears of the span before anybody reads the entry that begins it.
 *
 * @param earlier calls of the same life with the same id
 */
export function serverCallKey(incarnation: string, call: string, earlier: number): string {
  return `mcp ${incarnation} ${call}${earlier === 0 ? '' : ` ${earlier}`}`
}

/** The place that a mail was sent from, where it carries a context of its own. */
export function placeInMail(traceparent: string | undefined): SpanPlace | null {
  const context = traceContextOf(traceparent)
  return context && { traceId: context.traceId, spanId: context.spanId }
}

function ulidBits(ulid: string): string {
  const digits = Array.from(ulid, (digit) => ulidDigits.indexOf(digit))
  if (digits.length !== 26 || digits.some((digit) => digit < 0)) return ''
  const bits = digits.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n)
  return BigInt.asUintN(128, bits).toString(16).padStart(32, '0')
}

/** FNV-1a in 64 bits: no secret, only a number that is the same everywhere. */
function hash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325]
  for (const char of text) {
    const mixed = (low ^ (char.codePointAt(0) ?? 0)) >>> 0
    // The prime is 2^40 + 0x1b3: both halves stay below 2^53.
    const product = mixed * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 256) >>> 0
    low = product >>> 0
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}
