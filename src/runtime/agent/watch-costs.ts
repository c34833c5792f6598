import { failure } from '../../protocol/conversation/failure.ts'
import { failedAnswer } from '../../protocol/conversation/message.ts'
import type { AskInput, AskOutput } from '../../protocol/port.ts'
import { isRunaway, runawayText } from '../../projections/cost/runaway.ts'
import type { AgentSession } from './agent-session.ts'

/** The end of an agent whose turns have become dearer and dearer, where its budget says that this is one; else null. */
export function runawayEnd({ runsAway, deps }: AgentSession, { model }: Pick<AskInput, 'model'>): AskOutput | null {
  if (runsAway === null || deps.runaway !== 'stop') return null
  const message = failedAnswer(model, failure('budget_exhausted', runsAway))
  return { kind: 'settled', message, calls: [], cost_usd: 0, duration_ms: 0 }
}

/** Costs that are remembered. */
const most = 10

/** Takes the cost of an answer in, and says once that the turns become dearer and dearer. */
export function watchCosts(session: AgentSession, cost: number | null): void {
  const { costs, deps } = session
  costs.push(cost ?? 0)
  if (costs.length > most) costs.shift()
  if (session.runsAway !== null || !isRunaway(costs)) return
  session.runsAway = runawayText(costs)
  deps.note({ type: 'warning.raised', code: 'runaway', message: session.runsAway })
}
