import { gatherVerdict, type GatherVerdict } from '../../src/rules/team/gather-policy.ts'
import type { CoordinatorContext } from './coordinator-event.ts'
import type { BookedRequest } from './request-book.ts'

type Round = Pick<CoordinatorContext, 'book' | 'round' | 'policy'>

/** The requests of the present round. */
export function roundOf({ book, round }: Pick<Round, 'book' | 'round'>): readonly BookedRequest[] {
  return Object.values(book).filter((request) => request.round === round)
}

/** The policy is asked only when something ended since it last answered. */
export function verdictOf(context: Round): GatherVerdict {
  const requests = roundOf(context)
  const isNews = requests.some(({ status, counted }) => status !== 'open' && !counted)
  if (!isNews) return { settled: false }
  const built = new Set<string>()
  for (const { depends_on } of requests) for (const needed of depends_on) built.add(needed)
  if (built.size === 0) return gatherVerdict(context.policy, requests)
  const weighed = requests.map(({ request, status }) => ({ status, feeds: built.has(request) }))
  return gatherVerdict(context.policy, weighed)
}

/** The lead is told of what there is, and the round goes on for the rest of its requests. */
export function roundGoesOn(context: Round): boolean {
  const verdict = verdictOf(context)
  const isProgress = context.policy.wait === 'progressive' && verdict.settled && verdict.why === 'progressive'
  return isProgress && roundOf(context).some(({ status }) => status === 'open')
}
