import { failure } from '../../protocol/conversation/failure.ts'
import { callsOf, failedAnswer, textOf, type AssistantMessage } from '../../protocol/conversation/message.ts'
import type { AskInput, AskOutput } from '../../protocol/port.ts'
import { isRunaway, runawayText } from '../../projections/cost/runaway.ts'
import { unfoundedNumbers } from '../../projections/member/unfounded-numbers.ts'
import type { AgentSession } from './agent-session.ts'
import { loadOf } from './make-room.ts'

/**
 * Tells people of work that goes wrong, as warnings in the journal: each names a code and stands at the place. Nothing is
 * ended by these, unless the budget says so of costs that run away (`runawayEnd`).
 */

/** The end of an agent whose turns have become dearer and dearer, where its budget says that this is one; else null. */
function runawayEnd({ runsAway, deps }: AgentSession, { model }: Pick<AskInput, 'model'>): AskOutput | null {
  if (runsAway === null || deps.runaway !== 'stop') return null
  const message = failedAnswer(model, failure('budget_exhausted', runsAway))
  return { kind: 'settled', message, calls: [], cost_usd: 0, duration_ms: 0 }
}

/** Costs that are remembered. */
const most = 10
/** The share of the window from which a person hears of it; at four fifths older parts are left out. */
const nearlyFull = 0.7

/**
 * Before a model is asked: tells of an agent that goes in circles, and of a window that is nearly full.
 * @returns the end of the agent whose costs run away, where its budget says that this ends it; else null
 */
export function watchRequest(session: AgentSession, input: AskInput): AskOutput | null {
  const { model, circling } = input
  const { tokens, effective } = loadOf(session.deps, model)
  const share = effective === null ? 0 : tokens / effective
  tell(
    session,
    'loop',
    circling &&
      `the same was done ${circling.times} times with the same result; at ${circling.limit} times the work is ended`,
  )
  tell(
    session,
    'context',
    share >= nearlyFull && `${Math.round(share * 100)}% of what ${model} can read at once is used`,
  )
  return runawayEnd(session, input)
}

/** Takes an answer in: its cost, and the numbers that it states without having read them. */
export function watchAnswer(session: AgentSession, message: AssistantMessage, cost: number | null): void {
  watchCost(session, cost)
  const { conversation } = session.deps
  if (message.failure !== undefined || callsOf(message).length > 0 || conversation.leftOut > 0) return
  const numbers = unfoundedNumbers(textOf(message), conversation.messages)
  session.told.delete('unfounded')
  tell(
    session,
    'unfounded',
    numbers.length > 0 && `the answer says ${numbers.join(', ')}: nothing that was read holds it`,
  )
}

function watchCost(session: AgentSession, cost: number | null): void {
  const { costs } = session
  costs.push(cost ?? 0)
  if (costs.length > most) costs.shift()
  if (session.runsAway !== null || !isRunaway(costs)) return
  session.runsAway = runawayText(costs)
  tell(session, 'runaway', session.runsAway)
}

/** Warns once, and again when it was over in between. */
function tell({ told, deps }: AgentSession, code: string, message: string | false | undefined): void {
  if (!message) told.delete(code)
  else if (!told.has(code)) {
    told.add(code)
    deps.note({ type: 'warning.raised', code, message })
  }
}
