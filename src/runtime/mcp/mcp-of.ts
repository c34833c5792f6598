import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { RunMcp } from './run-mcp.ts'

interface Place {
  readonly run: { readonly id: string; readonly dir: string }
  readonly home: string
  /** The directory of the managed policy; the system's where nobody names another. */
  readonly policyRoot?: string | undefined
  /** For programs: without credentials. */
  readonly env: Readonly<Record<string, string>>
  /** The trace that the run belongs to. */
  readonly traceparent?: string | undefined
}

/** The MCP servers of a run. Most teams have none: what speaks to servers is loaded for those that do. */
export async function mcpOf(team: ResolvedTeam, place: Place): Promise<RunMcp | null> {
  if (Object.keys(team.mcp_servers ?? {}).length === 0) return null
  const { openRunMcp } = await import('./run-mcp.ts')
  return openRunMcp({ team, ...place })
}
