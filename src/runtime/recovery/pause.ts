import type { Pause } from '../../projections/member/agent-story.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Clock } from '../actors/clock.ts'

const heartbeatMs = 30_000

interface Waiting {
  readonly clock: Clock
  readonly paused: Pause
}

/** The question that waits. */
interface Waiter {
  readonly turn: number
  readonly model: string
  readonly note: (fact: Fact) => void
  readonly signal: AbortSignal
}

interface Limit {
  readonly until: number
  readonly told: Failure
}

/** Waits for a limit to reset, and says so; false when the signal aborts meanwhile. */
export async function pause(parts: Waiting, asking: Waiter, { until, told }: Limit): Promise<boolean> {
  const { turn, model, note } = asking
  note({ type: 'model.paused', turn, model, until, failure: told })
  return sleep(parts, asking, until)
}

/** Waits out what an earlier life of the member was waiting for. */
export async function endPause(parts: Waiting, asking: Waiter): Promise<void> {
  const { until } = parts.paused
  if (until !== null && until > parts.clock.now()) await sleep(parts, asking, until)
}

async function sleep({ clock, paused }: Waiting, asking: Waiter, until: number): Promise<boolean> {
  const { turn, model, note, signal } = asking
  for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
    if (!(await wait(clock, Math.min(left, heartbeatMs), signal))) return false
    if (clock.now() < until) note({ type: 'model.waiting', turn, model, until })
  }
  paused.until = null
  note({ type: 'model.resumed', turn, model })
  return true
}

/** Waits on this clock, or until the signal aborts: then false. Nothing is left behind either way. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const over = (whole: boolean): void => {
      clock.clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(whole)
    }
    const stop = (): void => over(false)
    const timer = clock.setTimeout(() => over(true), ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
