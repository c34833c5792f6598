import type { GatherPolicy } from '../protocol/team-card.ts'

export interface RequestStatus {
  readonly status: 'open' | 'done' | 'failed' | 'cancelled' | 'timed_out'
}

export type GatherVerdict =
  | { readonly settled: false }
  | { readonly settled: true; readonly why: 'all' | 'any' | 'quorum' | 'progressive' | 'failed' }

/**
 * Says whether a round of delegated requests has come to its end. A request that is being retried counts
 * as open. `progressive` settles as soon as one of the given requests has, so pass those not yet reported.
 * When nothing is open any more the round is over whatever the policy waits for.
 *
 * @returns `failed` when nothing succeeded, or when one failure is enough (`then: 'fail'`).
 * @example gatherVerdict({ wait: 'any', … }, [{ status: 'open' }, { status: 'done' }]) // settled, why 'any'
 */
export function gatherVerdict(policy: GatherPolicy, requests: readonly RequestStatus[]): GatherVerdict {
  const open = count(requests, 'open')
  const done = count(requests, 'done')
  const failed = count(requests, 'failed') + count(requests, 'timed_out')
  if (failed > 0 && policy.then === 'fail') return { settled: true, why: 'failed' }
  if (failed > 0 && open === 0 && done === 0) return { settled: true, why: 'failed' }
  const why = typeof policy.wait === 'string' ? policy.wait : 'quorum'
  if (open === 0 || isEnough(policy.wait, { open, done, asked: requests.length })) return { settled: true, why }
  return { settled: false }
}

function isEnough(wait: GatherPolicy['wait'], tally: { open: number; done: number; asked: number }): boolean {
  if (wait === 'all') return false
  if (wait === 'any') return tally.done > 0
  if (wait === 'progressive') return tally.open < tally.asked
  // A quorum above the number of requests can only mean all of them.
  const needed = Math.min(wait.quorum, tally.asked)
  return tally.done >= needed || tally.done + tally.open < needed
}

function count(requests: readonly RequestStatus[], status: RequestStatus['status']): number {
  return requests.filter((request) => request.status === status).length
}
