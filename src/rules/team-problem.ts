import type { MemberCard } from '../protocol/team-card.ts'

/** What is wrong with a team, and the key path of the place in its file. */
export interface TeamProblem {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly path: (string | number)[]
  readonly hint?: string
}

/** Where a card stands in the file: `['coordinator']` or `['workers', 'writer']`. */
export function cardPath(member: MemberCard): (string | number)[] {
  return member.role === 'coordinator' ? ['coordinator'] : ['workers', member.card]
}
