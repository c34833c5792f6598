import type { MemberCard } from '../../protocol/team/team-card.ts'
import { didYouMean } from '../tools/did-you-mean.ts'

/** One fault of a team, with the key path of its place in the file. */
export interface TeamProblem {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly path: (string | number)[]
  readonly hint?: string
}

/**
 * The hint for a name that nothing has: the one that was likely meant, or all there are.
 *
 * @param otherwise said instead of all names
 */
export function nameHint(name: string, known: readonly string[], otherwise?: string): string {
  const meant = didYouMean(name, known)
  if (meant !== undefined) return `did you mean ${meant}?`
  return otherwise ?? (known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`)
}

/** Members of a team without the replicas of the same card. */
export function oncePerCard(members: readonly MemberCard[]): readonly MemberCard[] {
  return members.filter(
    (member, i) => members.findIndex(({ card, role }) => card === member.card && role === member.role) === i,
  )
}

/** Where a card stands in the file: `['coordinator']` or `['workers', 'writer']`. */
export function cardPath(member: MemberCard): (string | number)[] {
  return member.role === 'coordinator' ? ['coordinator'] : ['workers', member.card]
}
