import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunContext } from '../context/run-context.ts'
import type { LeadBroker } from '../mcp/lead-broker.ts'

/** Starts the MCP servers of a run that this process leads; null where no member may use any. */
export function leadMcp(context: RunContext, record: (facts: readonly Fact[]) => void): LeadBroker | null {
  const { mcp, clock, ownEnv, settings, workplace } = context
  if (mcp === null) return null
  const trusted = settings?.current().trusted ?? []
  return mcp.lead({ clock, ownEnv, trusted, record, cwdOf: (card) => workplace(card).cwd })
}
