import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { nameHint } from '../../rules/team/team-problem.ts'

/**
 * The member of a team that has a name: `namedMember(team, 'reader')`.
 *
 * @throws Error for a name that no member has; it says which one was likely meant
 */
export function namedMember({ members, name: team }: Pick<ResolvedTeam, 'members' | 'name'>, name: string): MemberCard {
  const found = members.find((member) => member.name === name)
  if (found) return found
  const names = members.map((member) => member.name)
  throw new Error(`${name} is no member of ${team}; ${nameHint(name, names)}`)
}
