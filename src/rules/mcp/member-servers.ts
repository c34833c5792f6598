import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { serverOf } from './tool-names.ts'

type Team = Pick<ResolvedTeam, 'mcp_servers' | 'partition'>

/**
 * The servers that a member may use: those whose tools its card names. A coordinator that does no work itself has none.
 *
 * @example mcpServersOf({ role: 'worker', tools: ['Read', 'mcp__fs'] }, { mcp_servers: { fs } }) // ['fs']
 */
export function mcpServersOf({ role, tools }: Pick<MemberCard, 'role' | 'tools'>, team: Team): readonly string[] {
  if (role === 'coordinator' && team.partition === 'enforced') return []
  const named = new Set(tools.flatMap((tool) => serverOf(tool) ?? []))
  return Object.keys(team.mcp_servers ?? {}).filter((server) => named.has(server))
}
