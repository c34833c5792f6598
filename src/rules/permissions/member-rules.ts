import type { Behavior, PermissionMode } from '../../protocol/permissions/permission.ts'
import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'
import { modeWidth } from './mode.ts'
import { oncePerCard } from '../team/team-problem.ts'

type Ruled = Pick<UnhashedTeam, 'permissions' | 'members'>

/**
 * The rules of a team file that hold for a member: the team's, its own, and what the coordinator is denied or asked about,
 * for a worker does the coordinator's work.
 *
 * @example memberRules(team, card).deny // ['Bash(git push:*)', 'Bash(rm *)']
 */
export function memberRules(
  { permissions, members }: Ruled,
  card: Pick<MemberCard, 'permissions'>,
): Record<Behavior, string[]> {
  const lead = members.find(({ role }) => role === 'coordinator')?.permissions ?? {}
  const joined = (list: Behavior, more: readonly string[] = []): string[] => [
    ...new Set([...(permissions[list] ?? []), ...(card.permissions[list] ?? []), ...more]),
  ]
  return { allow: joined('allow'), ask: joined('ask', lead.ask), deny: joined('deny', lead.deny) }
}

/** The rights of a member as the team file alone makes them. */
export interface MemberRights extends Record<Behavior, readonly string[]> {
  /** Members of the same card have the same. */
  readonly card: string
  readonly mode: PermissionMode
  readonly tools: readonly string[]
}

/** The rights of each card of a team; settings of person and project may change them. */
export function memberRights(team: UnhashedTeam): readonly MemberRights[] {
  const shared = team.permissions.mode ?? 'default'
  return oncePerCard(team.members).map((member) => {
    const { mode: own = shared } = member.permissions
    const mode = modeWidth[own] > modeWidth[shared] ? shared : own
    return { card: member.card, mode, tools: member.tools, ...memberRules(team, member) }
  })
}

/** One line: `writer: default mode, Read and Write, denied Bash(rm *)`. */
export function rightsText({ card, mode, tools, ...rules }: MemberRights): string {
  const said = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    rules[list].length === 0 ? [] : [`${list} ${rules[list].join(', ')}`],
  )
  return [
    `${card}: ${mode} mode`,
    tools.length === 0 ? 'no tools of its own' : `tools ${tools.join(', ')}`,
    ...said,
  ].join('; ')
}
