import { failureClasses, type Failure } from '../../protocol/conversation/failure.ts'
import { momentText } from '../../protocol/words/local-time.ts'
import { outputRoom } from '../conversation/output-room.ts'

/** How far recovery may go. */
export interface RetryLimits {
  /** How often one request is asked again (default 10). */
  readonly retries: number
  /** How many failures in a row are enough where another model stands in (default 3). */
  readonly fallback_after: number
  /** Wait out busy and limited servers for hours instead of failing. */
  readonly persistent: boolean
  /** Another model answers what the first one refused (default: no). */
  readonly on_refusal: boolean
}

/** A request that failed once more. */
export interface Trouble {
  readonly failure: Failure
  /** Attempts that failed so far, from 1. */
  readonly attempts: number
  /** When the first of them failed, in whichever life of the member. */
  readonly since: number
  readonly now: number
  /** The request runs in the background: nobody waits for the answer. */
  readonly background: boolean
  /** The limit of output that was asked for, when there was one. */
  readonly max_tokens: number | undefined
  /** Another model can answer instead. */
  readonly stands_in: boolean
  /** The credential was looked up again for this request already. */
  readonly renewed: boolean
  /** From 0 to 1: spreads those who wait for the same server. */
  readonly chance: number
}

/** A way to go on after a failure. `pause` is a wait that people have to know of. */
export type Remedy =
  | { readonly act: 'retry'; readonly delay_ms: number }
  | { readonly act: 'pause'; readonly delay_ms: number }
  | { readonly act: 'renew' }
  | { readonly act: 'shrink'; readonly max_tokens: number }
  | { readonly act: 'lengthen'; readonly max_tokens: number }
  | { readonly act: 'give_up' }

export const defaultLimits: RetryLimits = { retries: 10, fallback_after: 3, on_refusal: false, persistent: false }

interface LimitsSaid {
  readonly retries?: number | undefined
  readonly fallback_after?: number | undefined
  readonly fallback_on_refusal?: boolean | undefined
  readonly persistent?: boolean | undefined
}

/** `retryLimits({ retries: 2 })`: the limits that somebody set, the others by default. */
export function retryLimits({ retries, fallback_after, fallback_on_refusal, persistent }: LimitsSaid): RetryLimits {
  return {
    retries: retries ?? defaultLimits.retries,
    fallback_after: fallback_after ?? defaultLimits.fallback_after,
    on_refusal: fallback_on_refusal ?? defaultLimits.on_refusal,
    persistent: persistent ?? defaultLimits.persistent,
  }
}

const firstDelayMs = 500
const longestDelayMs = 32_000
const jitter = 0.25

/** A wait from here on is a pause. */
const pauseFromMs = 60_000
/** The longest pause that is waited for without `persistent`. */
const longestPauseMs = 10 * 60_000
/** How long a persistent request is tried in all. */
const persistenceMs = 6 * 3_600_000

const giveUp: Remedy = { act: 'give_up' }

/**
 * The remedy for a request that failed: the one place that decides whether, when and how it is asked again.
 *
 * 1. The server's word goes before ours: `retry: false` ends it, `retry_after_ms` is never undercut.
 * 2. Our own pause doubles from 500 ms to 32 s; a quarter of it at most is added by chance.
 * 3. Nobody waits for background requests: they leave a busy server alone at once.
 * 4. Where another model stands in, it answers after a few failures, and at once instead of a server that hangs or
 *    that asks to be left alone for long.
 * 5. With `persistent`, a busy or limited server that nobody stands in for is waited for up to six hours.
 *
 * @example remedyFor({ failure: failure('overloaded', 'busy'), attempts: 3, … }, defaultLimits) // retry in 2,000–2,500 ms
 */
export function remedyFor(trouble: Trouble, limits: RetryLimits): Remedy {
  const { failure, attempts, background } = trouble
  if (failure.retry === false) return giveUp
  if (failure.code === 'unauthorized') return trouble.renewed ? giveUp : { act: 'renew' }
  const kind = failureClasses[failure.code]
  if (kind === 'shrink') return shrinkage(trouble)
  if (kind === 'final' || (background && failure.code === 'overloaded')) return giveUp
  if (trouble.stands_in && isEnough(trouble, limits)) return giveUp
  const waits = limits.persistent && !background && isCapacity(failure)
  if (!waits && attempts > limits.retries) return giveUp
  const delay_ms = delayFor(trouble)
  const tooLong = waits
    ? trouble.now + delay_ms - trouble.since > persistenceMs
    : delay_ms > longestPauseMs * (1 + jitter)
  if (tooLong || (background && delay_ms >= pauseFromMs)) return giveUp
  return { act: delay_ms >= pauseFromMs ? 'pause' : 'retry', delay_ms }
}

/** A hang of ours has no status: the server said nothing at all. */
function isEnough({ failure, attempts }: Trouble, limits: RetryLimits): boolean {
  const hangs = failure.code === 'timed_out' && failure.status === undefined
  return hangs || attempts >= limits.fallback_after || (failure.retry_after_ms ?? 0) >= pauseFromMs
}

/** The failure with its wait, where it names a moment. */
export function timed(failed: Failure, now: number): Failure {
  const wait = (failed.retry_at ?? 0) - now
  return wait > 0 ? { ...failed, retry_after_ms: wait } : failed
}

/** A failure that is too late to wait for, with the moment at which the limit resets. */
export function lateFailure(told: Failure, now: number): Failure {
  const failed = timed(told, now)
  const wait = failed.retry_after_ms ?? 0
  if (!isCapacity(failed) || wait <= longestPauseMs) return failed
  const message = `${failed.message} (resets in ${Math.round(wait / 60_000)} minutes, at ${momentText(now + wait)})`
  const remedy = failed.remedy ?? '`persistent: true` waits for it, a `fallback` does not have to'
  return { ...failed, message, remedy }
}

/** The pause before the next attempt without any chance: 500 ms, 1 s, 2 s … 32 s. */
export function backoffMs(attempts: number): number {
  return Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs)
}

/** The stand-in of a model that was given up. */
export interface StandIn {
  /** The window of the stand-in is larger. */
  readonly larger: boolean
  /** The team wants it to answer what the first one refused. */
  readonly onRefusal: boolean
}

/** Another model may do what this one could not: it is busy, gone, or not ours to ask. Ours would be the same mistake. */
export function mayFallBack({ code }: Failure, { larger, onRefusal }: StandIn): boolean {
  if (code === 'context_exceeded') return larger
  return failureClasses[code] === 'retry' || elsewhere.has(code) || (code === 'refused' && onRefusal)
}

/** The model itself is not to be had: for a while nobody asks it. What another one could do better is the request's. */
export function isGone({ code }: Failure): boolean {
  return code !== 'context_exceeded' && code !== 'refused'
}

/** The server itself is in trouble: a circuit breaker counts these. A limit is a matter of ours. */
export function blamesServer({ code }: Failure): boolean {
  return failureClasses[code] === 'retry' && code !== 'rate_limited'
}

const elsewhere = new Set(['unauthorized', 'forbidden', 'not_found', 'missing_credential'])

/** The server is busy, or a limit was reached: waiting helps. */
export function isCapacity({ code }: Failure): boolean {
  return code === 'overloaded' || code === 'rate_limited'
}

function delayFor({ failure, attempts, chance }: Trouble): number {
  const wait = Math.max(backoffMs(attempts), failure.retry_after_ms ?? 0)
  return Math.round(wait + Math.min(wait, longestDelayMs) * jitter * chance)
}

function shrinkage({ failure, attempts, max_tokens }: Trouble): Remedy {
  const room = attempts > 2 ? null : outputRoom(failure.message, max_tokens)
  if (room === null || (max_tokens !== undefined && room >= max_tokens)) return giveUp
  return { act: 'shrink', max_tokens: room }
}
