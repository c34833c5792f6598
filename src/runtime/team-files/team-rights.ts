import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import { memberRights, rightsText, type MemberRights } from '../../rules/permissions/member-rules.ts'

/** The rights of all members of a team, as data and as lines for a person. */
export interface TeamRights {
  readonly team: string
  readonly members: readonly MemberRights[]
  readonly lines: readonly string[]
}

export function teamRights(team: UnhashedTeam): TeamRights {
  const members = memberRights(team)
  return { team: team.name, members, lines: members.map(rightsText) }
}
