import type { Fact } from '../../protocol/facts/fact.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunContext } from '../context/run-context.ts'
import type { LeadBroker } from '../mcp/lead-broker.ts'
import { nestingMark } from '../runs/nesting.ts'

/** Starts the MCP servers of a run that this process leads; null where no member may use any. */
export function leadMcp(context: RunContext, record: (facts: readonly Fact[]) => void): LeadBroker | null {
  const { mcp, clock, cwd, ownEnv, settings, trusted } = context
  if (mcp === null) return null
  const onTrust = (changed: () => void) => settings?.subscribe(changed) ?? (() => undefined)
  return mcp.lead({ clock, cwd, ownEnv, trusted, onTrust, record, placeOf: (card) => placeOf(context, card) })
}

/**
 * The place of a member, as its servers are told of it: the directories that it may work in, as they are when the run
 * begins, and how deep in runs a program of theirs is.
 */
function placeOf({ workplace, policy, nesting }: RunContext, card: MemberCard) {
  const { cwd } = workplace(card)
  const { bounds, directories } = policy(card)
  const roots = bounds.scope.length > 0 ? bounds.scope : directories
  return { cwd, roots, env: { PWD: cwd, ...nestingMark(nesting, 1) } }
}
