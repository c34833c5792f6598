import type { ContinueReason } from '../../src/protocol/conversation/agent-event.ts'
import { textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import type { AskOutput } from '../../src/protocol/port.ts'
import type { EscalationTrigger } from '../../src/protocol/work/work-fact.ts'
import { strongerWanted, takeoverText } from '../../src/rules/conversation/escalation.ts'
import { isStuck } from '../../src/rules/conversation/stuck-loop.ts'
import { afterCalls } from './agent-calls.ts'
import type { AgentContext, AgentFact, AgentStep, LoopState } from './agent-state.ts'
import { again, hasAnswered, proceeded, runtimeSays, settled, type Settled } from './agent-steps.ts'

/*
 * The pure transitions of an agent that has a stronger model to turn to.
 * 1. It turns to it once in a piece of work; the next piece of work begins with its own model.
 * 2. An answer that asks for it is paid for and forgotten: it never enters the conversation, and no call of it runs.
 * 3. After calls it is turned to when their results stand.
 */

/** A stronger model is there and was not turned to yet; what is left of a budget is not spent on it. */
function canRise({ card, state }: AgentContext): boolean {
  return card.escalate !== undefined && !state.risen && state.windingDown === 'no'
}

/** Hard work begins with the stronger model. */
export function begins(context: AgentContext): boolean {
  return context.card.escalate?.on_hard === true && canRise(context)
}

export function begunStronger(context: AgentContext): AgentStep {
  return rise(context, 'task', '')
}

/** Whether an answer asks for a stronger model. */
export function wantsStronger(context: AgentContext, answer: AskOutput): boolean {
  if (!canRise(context) || answer.kind !== 'settled' || !hasAnswered(answer.message)) return false
  return strongerWanted(textOf(answer.message)) !== null
}

/** The answer that asked for it is closed, and the same turn is asked of the stronger model. */
export function handedOver(context: AgentContext, answer: Settled): AgentStep {
  const { state, facts } = settled(context, answer)
  const { reason } = strongerWanted(textOf(answer.message)) ?? { reason: '' }
  const next = again('escalated', [runtimeSays(takeoverText('marker', reason))])
  const risen = rise({ ...context, state }, 'marker', reason)
  const paid = facts.filter(({ type }) => type !== 'message.appended')
  return {
    state: { ...risen.state, message: forgotten(answer.message), calls: [], next },
    facts: [...paid, ...risen.facts],
  }
}

function forgotten(message: AssistantMessage): AssistantMessage {
  return { ...message, content: [] }
}

/** The trouble in the calls so far that is a reason to turn to a stronger model, or null. */
export function troubleIn(context: AgentContext): 'loop' | 'errors' | null {
  const { card, state } = context
  if (card.escalate === undefined || !canRise(context)) return null
  if (card.escalate.on_loop && isStuck(state.marks, card.limits.stuck)) return 'loop'
  return state.clumsy >= card.escalate.after_errors ? 'errors' : null
}

/**
 * The next turn after calls, by the stronger model where they gave reason to turn to it; `reason` is that of any other.
 */
export function wentOn(context: AgentContext, reason: ContinueReason): AgentStep {
  const trigger = troubleIn(context)
  if (trigger === null) return proceeded(context, afterCalls(context, reason))
  const { state, facts } = rise(context, trigger, '')
  const told = { ...state, hints: [...state.hints, takeoverText(trigger, '')] }
  const after = { ...context, state: told }
  const next = proceeded(after, afterCalls(after, 'escalated'))
  return { state: next.state, facts: [...facts, ...next.facts] }
}

function rise({ card, state }: AgentContext, trigger: EscalationTrigger, reason: string): AgentStep {
  const to = card.escalate?.model ?? state.model
  const fact: AgentFact = {
    type: 'model.escalated',
    turn: state.turn,
    from: state.model,
    to,
    trigger,
    ...(reason === '' ? {} : { reason }),
  }
  const risen: LoopState = { ...state, model: to, risen: true, clumsy: 0, marks: [] }
  return { state: risen, facts: [fact] }
}
