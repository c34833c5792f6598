import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import { memberRights, rightsText } from '../../rules/permissions/team-permissions.ts'

/** The rights of all members of a team, for a person. */
export interface TeamRights {
  readonly team: string
  readonly lines: readonly string[]
}

export function teamRights(team: UnhashedTeam): TeamRights {
  return { team: team.name, lines: memberRights(team).map(rightsText) }
}
