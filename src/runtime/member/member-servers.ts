import type { AgentDeps } from '../agent/agent-deps.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import { mcpQuestions } from '../mcp/questions.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { MemberStore } from './member-store.ts'
import type { RunContext } from '../context/run-context.ts'

/** Opens the member's way to its MCP servers; null for a member that has none. */
export function openMemberServers(
  { context, card }: { readonly context: RunContext; readonly card: MemberCard },
  { incarnation }: Pick<MemberStore, 'incarnation'>,
  deps: () => Pick<AgentDeps, 'consult' | 'policy' | 'hooks'>,
): MemberMcp | null {
  const { models, mcp, home, workplace } = context
  const model = models.get(card.model)
  if (mcp === null || model === undefined) return null
  const questions = mcpQuestions({
    model,
    consult: (asked) => deps().consult(asked),
    policy: () => deps().policy(),
    hooks: () => deps().hooks ?? null,
    cwd: workplace(card).cwd,
    home,
  })
  return mcp.member(card, { questions, incarnation })
}

/** The member's next question to its model waits for the servers that are required. */
export function roomWith(mcp: MemberMcp | null, room: AgentDeps['room']): AgentDeps['room'] {
  if (mcp === null) return room
  return async () => void (await Promise.all([room(), mcp.ready()]))
}
