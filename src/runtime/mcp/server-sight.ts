import type { BrokerClient } from '../../adapters/mcp/broker/broker-client.ts'
import type { ServerView } from '../../protocol/mcp/broker-message.ts'
import type { McpListing } from '../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../protocol/mcp/server-spec.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Tool, ToolContext } from '../../protocol/tools/tool.ts'
import type { McpQuestions } from './questions.ts'

export interface MemberMcpOptions {
  readonly team: ResolvedTeam
  readonly card: MemberCard
  readonly runDir: string
  readonly runKey: Uint8Array
  readonly home: string
  readonly questions: McpQuestions
  /** The context of the span of a call, and of the run where none is given; undefined in a run without traces. */
  readonly traceparent: (call?: ToolContext) => string | undefined
}

/** The servers of a member, and what it takes to make tools of what they offer. */
export interface ServerSight {
  readonly options: MemberMcpOptions
  readonly views: ReadonlyMap<string, ServerView>
  /** The tools of each server as they were last made, and what they were made of. */
  readonly made: Map<string, MadeTools>
  readonly client: BrokerClient
  /** Resolves when one of them is in another state. */
  changed(signal: AbortSignal): Promise<void>
  /** The tools have to be made anew. */
  renew(): void
}

/** The tools of a server, and what they were made of. */
export interface MadeTools {
  readonly listing: McpListing
  readonly believed: boolean
  readonly agreed: Readonly<Record<string, string>>
  readonly defer: boolean
  readonly tools: readonly Tool[]
}

/** The entry of a server, as the team has it. */
export function entryOf(team: ResolvedTeam, name: string): McpServerSpec {
  return team.mcp_servers?.[name]?.spec ?? {}
}
