import type { PaceEvent } from '../../protocol/models/pace-event.ts'

/** The pace at which one provider is asked, as its answers and refusals have shown it. */
export interface RequestPace {
  /** Milliseconds between two requests; 0 where nobody has to wait. */
  readonly distance: number
  /** When the next request may go out. */
  readonly next: number
  /** When the last refusal came that counted, and whether it was the first. */
  readonly refused: { readonly at: number; readonly isFirst: boolean }
  /** When the latest requests went out that were not refused. */
  readonly sent: readonly number[]
  /** When anything was heard of it last. */
  readonly heard: number
}

/** The pace of a provider that has refused nobody. */
export const unpaced: RequestPace = { distance: 0, next: 0, refused: { at: 0, isFirst: false }, sent: [], heard: 0 }

/** The distance changes by these factors with an answer and with a refusal. */
const [faster, slower] = [0.97, 1.5]
/** Milliseconds: a smaller distance is none, and there is no larger one. */
const [least, most] = [20, 60_000]
/** Milliseconds of silence after a refusal that names none, and the longest. */
const [pauseMs, longestPause] = [1_000, 10_000]
const keptRequests = 200
/** Milliseconds after which a pace that nobody used says nothing any more. */
const forgotten = 600_000

/** Whether a request may go out now. */
export function isTurn({ distance, next, heard }: RequestPace, now: number): boolean {
  return distance === 0 || now >= next || now > heard + forgotten
}

/** The pace after one more event. All who take in the same events in the same order have the same pace. */
export function afterEvent(before: RequestPace, event: PaceEvent): RequestPace {
  const { at } = event
  const pace = { ...(at > before.heard + forgotten ? unpaced : before), heard: at }
  if (event.type === 'answered') return afterAnswer(pace)
  if (event.type === 'sent') return isTurn(pace, at) ? afterRequest(pace, at) : pace
  return afterRefusal(pace, { sent: event.sent, now: at, retryAfterMs: event.retry_after_ms })
}

/** A request goes out. */
export function afterRequest(pace: RequestPace, now: number): RequestPace {
  return { ...pace, next: now + pace.distance, sent: [...pace.sent.slice(1 - keptRequests), now] }
}

/** Requests come a little faster after each answer, until their distance is hardly one. */
export function afterAnswer({ distance, ...pace }: RequestPace): RequestPace {
  const shorter = distance * faster
  return { ...pace, distance: shorter < least ? 0 : shorter }
}

/** A request that was refused for the rate of requests. */
export interface RateRefusal {
  /** When it went out. */
  readonly sent: number
  readonly now: number
  /** The wait that the provider asked for. */
  readonly retryAfterMs: number | undefined
}

/**
 * A refusal is followed by silence for as long as the provider said, then by requests at a distance: at first as many in that
 * time as it had taken in as long a time, later fewer with each refusal. Refusals of requests that were under way together
 * count as one.
 */
export function afterRefusal(pace: RequestPace, { sent: at, now, retryAfterMs = pauseMs }: RateRefusal): RequestPace {
  const { distance, refused } = pace
  const place = pace.sent.lastIndexOf(at)
  const sent = place === -1 ? pace.sent : pace.sent.toSpliced(place, 1)
  // A request that was long on its way was refused for those that went out before it, not for what goes out now.
  const before = sent.filter((time) => time > at - retryAfterMs && time <= at)
  const taken = retryAfterMs / Math.max(1, before.length)
  const within = (ms: number): number => Math.min(most, Math.max(least, ms))
  if (distance > 0 && at <= refused.at) {
    return { ...pace, sent, distance: refused.isFirst ? within(Math.max(distance, taken)) : distance }
  }
  const isFirst = distance === 0
  const next = now + Math.min(longestPause, retryAfterMs)
  return { ...pace, sent, next, refused: { at: now, isFirst }, distance: within(isFirst ? taken : distance * slower) }
}
