import { failureClasses, type Failure } from '../../protocol/conversation/failure.ts'
import { outputRoom } from '../conversation/output-room.ts'

/** How far recovery may go. */
export interface RetryLimits {
  /** How often one request is asked again (default 10). */
  readonly retries: number
  /** Wait out busy and limited servers for hours instead of failing. */
  readonly persistent: boolean
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

export const defaultLimits: RetryLimits = { retries: 10, persistent: false }

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
 * 4. With `persistent`, a busy or limited server is waited for up to six hours, however often it refuses.
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
  const waits = limits.persistent && !background && isCapacity(failure)
  if (!waits && attempts > limits.retries) return giveUp
  const delay_ms = delayFor(trouble)
  const tooLong = waits
    ? trouble.now + delay_ms - trouble.since > persistenceMs
    : delay_ms > longestPauseMs * (1 + jitter)
  if (tooLong || (background && delay_ms >= pauseFromMs)) return giveUp
  return { act: delay_ms >= pauseFromMs ? 'pause' : 'retry', delay_ms }
}

/** The pause before the next attempt without any chance: 500 ms, 1 s, 2 s … 32 s. */
export function backoffMs(attempts: number): number {
  return Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs)
}

/** Another model may do what this one could not: it is busy, gone, or not ours to ask. Ours would be the same mistake. */
export function mayFallBack({ code }: Failure): boolean {
  return failureClasses[code] === 'retry' || elsewhere.has(code)
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
