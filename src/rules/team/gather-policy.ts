import type { GatherPolicy } from '../../protocol/team/team-card.ts'

export interface RequestStatus {
  readonly status: 'open' | 'done' | 'failed' | 'cancelled' | 'timed_out'
  /** Another request of the round builds on it: its result is a step, not yet something to answer with. */
  readonly feeds?: boolean
}

export type GatherVerdict =
  | { readonly settled: false }
  | { readonly settled: true; readonly why: 'all' | 'any' | 'quorum' | 'progressive' | 'failed' }

/**
 * Says whether a round of delegated requests has come to its end. A request that is being retried counts
 * as open. `progressive` settles as soon as one of the given requests has, so pass those not yet reported.
 * When nothing is open any more the round is over whatever the policy waits for. What other requests build on
 * does not count towards `any` or a quorum.
 *
 * @returns `failed` when nothing succeeded, or when one failure is enough (`then: 'fail'`).
 * @example gatherVerdict({ wait: 'any', … }, [{ status: 'open' }, { status: 'done' }]) // settled, why 'any'
 */
export function gatherVerdict(policy: GatherPolicy, requests: readonly RequestStatus[]): GatherVerdict {
  const { open, done, ...rest } = tally(requests)
  const failed = rest.failed + rest.timed_out
  if (failed > 0 && policy.then === 'fail') return { settled: true, why: 'failed' }
  if (failed > 0 && open === 0 && done === 0) return { settled: true, why: 'failed' }
  const why = typeof policy.wait === 'string' ? policy.wait : 'quorum'
  if (open === 0 || isEnough(policy.wait, requests)) return { settled: true, why }
  return { settled: false }
}

function isEnough(wait: GatherPolicy['wait'], requests: readonly RequestStatus[]): boolean {
  if (wait === 'all') return false
  if (wait === 'progressive') return tally(requests).open < requests.length
  const awaited = requests.filter(({ feeds }) => feeds !== true)
  const { done } = tally(awaited)
  // A quorum above the number of requests can only mean all of them; one that cannot be reached waits for what is left.
  return done >= (wait === 'any' ? 1 : Math.min(wait.quorum, awaited.length))
}

function tally(requests: readonly RequestStatus[]): Readonly<Record<RequestStatus['status'], number>> {
  const counts = { open: 0, done: 0, failed: 0, cancelled: 0, timed_out: 0 }
  for (const { status } of requests) counts[status] += 1
  return counts
}
