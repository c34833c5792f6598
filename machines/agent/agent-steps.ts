import type { FactOf } from '../../src/protocol/facts/fact.ts'
import {
  callsOf,
  userMessage,
  type AssistantMessage,
  type ToolUseBlock,
  type UserMessage,
} from '../../src/protocol/conversation/message.ts'
import type { AgentOutput, AskInput, AskOutput, StopHooksOutput } from '../../src/protocol/port.ts'
import type { MailPriority } from '../../src/protocol/mail/envelope.ts'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import { cutText } from '../../src/rules/conversation/cut-answer.ts'
import { standstillOf, standstillText } from '../../src/rules/conversation/stuck-loop.ts'
import { noAnswerText } from '../../src/rules/team/wind-down-text.ts'
import { checkTokenBudget, type BudgetVerdict } from '../../src/rules/conversation/token-budget.ts'
import type { Rejection } from './agent-ends.ts'
import { answeredAt } from './agent-fitting.ts'
import {
  appended,
  nowhere,
  type AgentContext,
  type AgentFact,
  type Continue,
  type End,
  type LoopState,
  type AgentStep,
} from './agent-state.ts'

/*
 * The pure transitions of thinking: what each moment does to the state, and which facts it states.
 * 1. A message that carries a failure, or was aborted, never enters the conversation: half an answer would
 *    look like a whole one to the next run, and its calls would never be answered.
 * 2. Every word a person gave is said before the agent ends, though nobody answers it in this run.
 * 3. A request is closed by `model.settled`, or, when it was given up, by `turn.continued` or `agent.ended`.
 * 4. A bell is forgotten when the inbox is about to be read: one that rings meanwhile makes the agent read it again.
 * 5. A block by a stop hook repeats the turn and keeps every guard, so that it cannot reset them.
 */

export type Settled = Extract<AskOutput, { kind: 'settled' }>
export type Redirected = Exclude<AskOutput, Settled | { kind: 'crowded' }>

export const interruptedText = 'Interrupted by user'

const silent: readonly AgentFact[] = []

export function opened({ card, state }: AgentContext): AgentStep {
  const said = card.prompt === undefined ? silent : [appended(card.prompt)]
  return { state, facts: [{ type: 'agent.started' }, ...said] }
}

/** The inbox is about to be read: what rang before is answered by that. */
export function looked({ state }: AgentContext): AgentStep {
  return { state: state.rung === null ? state : { ...state, rung: null }, facts: silent }
}

export function rang({ state }: AgentContext, priority: MailPriority): AgentStep {
  return { state: { ...state, rung: state.rung === 'interrupt' ? 'interrupt' : priority }, facts: silent }
}

export function steered({ state }: AgentContext, message: UserMessage): AgentStep {
  return { state: { ...state, steers: [...state.steers, message] }, facts: silent }
}

export function followed({ state }: AgentContext, message: UserMessage): AgentStep {
  return { state: { ...state, followUps: [...state.followUps, message] }, facts: silent }
}

export function parkedStep({ state }: AgentContext): AgentStep {
  return { state, facts: [{ type: 'agent.parked', turn: state.turn }] }
}

export function requested({ state }: AgentContext): AgentStep {
  const request: AgentFact = { type: 'model.requested', turn: state.turn, model: state.model }
  return { state: { ...state, steers: [], calls: [] }, facts: [...state.steers.map(appended), request] }
}

export function settled({ state }: AgentContext, answer: Settled): AgentStep {
  const { message } = answer
  const uses = hasAnswered(message) ? callsOf(message) : []
  const calls = uses.map((block, index) => described(block, answer.calls[index]))
  const fact: FactOf<'model.settled'> = {
    type: 'model.settled',
    turn: state.turn,
    model: message.model,
    stop: message.stop,
    usage: message.usage,
    cost_usd: answer.cost_usd,
    duration_ms: answer.duration_ms,
    ...(message.request_id === undefined ? {} : { request_id: message.request_id }),
    ...(message.failure === undefined ? {} : { failure: message.failure }),
  }
  return {
    state: {
      ...state,
      message,
      calls,
      tokens: state.tokens + message.usage.output,
      ...answeredAt(state, hasAnswered(message)),
    },
    facts: hasAnswered(message) ? [appended(message), fact] : [fact],
  }
}

/**
 * The same turn once more: by another model, without what the first one left behind, or with the last words of the
 * budget.
 */
export function redirected({ state }: AgentContext, turnOff: Redirected): AgentStep {
  if (turnOff.kind === 'winding_down') {
    const next = again('wind_down', [runtimeSays(turnOff.notice)])
    return { state: { ...state, next, windingDown: turnOff.ends ? 'ends' : 'told' }, facts: silent }
  }
  return {
    state: { ...state, model: turnOff.model, next: again('model_fallback') },
    facts: turnOff.tombstones.map((target) => ({ type: 'message.tombstoned', target })),
  }
}

/** The code of the warning when one of these ports rejects. */
const warningCodes: Readonly<Record<string, string>> = {
  compact: 'compaction_failed',
  stopHooks: 'stop_hooks_failed',
  stopFailure: 'stop_failure_failed',
  verify: 'verify_failed',
}

export function warned({ state }: AgentContext, { at, error }: Rejection): AgentStep {
  const code = warningCodes[at] ?? `${at}_failed`
  return { state, facts: [{ type: 'warning.raised', code, message: errorText(error) }] }
}

/** The tokens of the run beside its goal; null where there is none. */
export function weighed({ card, state }: AgentContext): BudgetVerdict | null {
  const budget = card.limits.token_goal
  return budget === undefined ? null : checkTokenBudget(state.tracker, { budget, total: state.tokens })
}

/** The next turn of an agent that is short of its goal: the model is told how far it is, and to go on. */
export function nudged(context: AgentContext): AgentStep {
  const { card, state } = context
  const goal = card.limits.token_goal ?? state.tokens
  const share = Math.floor((state.tokens / goal) * 100)
  const told = runtimeSays(
    `You have written ${share}% of what this work is meant to be worth (${state.tokens} of ${goal} tokens). Keep working; do not summarise.`,
  )
  const { tracker } = weighed(context) ?? state
  return { state: { ...state, tracker, next: another('budget_continuation', [told]) }, facts: silent }
}

/** An agent that ended with nothing and owes an answer is asked for it, once. */
export function reminded({ state }: AgentContext): AgentStep {
  return { state: { ...state, reminded: true, next: another('no_answer', [runtimeSays(noAnswerText)]) }, facts: silent }
}

export function planned({ state }: AgentContext, next: Continue): AgentStep {
  return { state: { ...state, next }, facts: silent }
}

/** The queued follow-ups become what the loop goes on with. */
export function resumed({ state }: AgentContext): AgentStep {
  const next: Continue = { reason: 'steered', messages: state.followUps, counts: true, parks: false }
  return { state: { ...state, next, followUps: [] }, facts: silent }
}

/** The one place where the loop goes round: a new state with the reason for it. */
export function proceeded({ state }: AgentContext, next: Continue): AgentStep {
  const turn = state.turn + (next.counts ? 1 : 0)
  const messages = [...next.messages, ...state.steers]
  return {
    state: {
      ...state,
      turn,
      recoveries: recoveriesAfter(state.recoveries, next),
      next: nowhere,
      steers: [],
      parkable: next.parks && state.steers.length === 0,
    },
    facts: [{ type: 'turn.continued', turn, reason: next.reason }, ...messages.map(appended)],
  }
}

export function finished({ state }: AgentContext, end: End): AgentStep {
  return { state: { ...state, end }, facts: silent }
}

export function closed({ state }: AgentContext): AgentStep {
  const planned = state.next.messages.filter((message) => message.origin === 'person')
  const ended: AgentFact = { type: 'agent.ended', turn: state.turn, ...state.end }
  return { state, facts: [...[...planned, ...state.steers, ...state.followUps].map(appended), ended] }
}

/** Only a whole answer enters the conversation. */
export function hasAnswered(message: AssistantMessage): boolean {
  return message.failure === undefined && message.stop !== 'error' && message.stop !== 'aborted'
}

/** The latest answer is not whole. */
export function isCut({ message }: LoopState): boolean {
  return message?.stop === 'max_tokens' || message?.stop === 'pause'
}

/** Tool calls decide, never `stop`: an answer with calls is acted upon whatever reason the model gave. */
export function wantsTools(answer: AskOutput): boolean {
  return answer.kind === 'settled' && hasAnswered(answer.message) && callsOf(answer.message).length > 0
}

/** The same turn once more. */
export function again(reason: Continue['reason'], messages: readonly UserMessage[] = []): Continue {
  return { reason, messages, counts: false, parks: false }
}

/** The same turn once more, with the words of a person or with mail that came meanwhile. */
export function goingOnWithNews({ state: { steers } }: AgentContext): Continue {
  return again(steers.length > 0 ? 'steered' : 'mail')
}

/** An answer that was cut off goes on; one that the vendor paused is sent back as it is, without a word of ours. */
export function goingOn(message: AssistantMessage | null): Continue {
  const words = message === null || message.stop === 'pause' ? [] : [runtimeSays(cutText(message))]
  return again('max_output_tokens_recovery', words)
}

/** One more turn. */
export function another(reason: Continue['reason'], messages: readonly UserMessage[] = []): Continue {
  return { reason, messages, counts: true, parks: false }
}

/** A stop hook's veto as words for the model; the turn is repeated, no guard is reset. */
export function blockedBy(output: StopHooksOutput): Continue {
  const messages = output.verdict === 'block' ? output.messages : []
  return again(
    'stop_hook_blocking',
    messages.map((text) => userMessage(text, 'hook')),
  )
}

/** `runtimeSays(cutText(message))`: words in the user's place that carry nobody's authority. */
export function runtimeSays(text: string): UserMessage {
  return userMessage(text, 'runtime')
}

/** The input of the port `ask`. */
export function askInput({ card, state }: AgentContext): AskInput {
  const circling = standstillOf(state.marks, card.limits.stuck)
  return {
    turn: state.turn,
    model: state.model,
    ...(state.risen && state.model === card.escalate?.model ? { instead: card.model } : {}),
    ...(state.windingDown === 'no' ? {} : { last: true }),
    ...(state.fitted ? { fitted: true } : {}),
    ...(standstillText(circling) === null ? {} : { circling }),
  }
}

export function outputOf({ state }: AgentContext): AgentOutput {
  return { ...state.end, turn: state.turn }
}

function recoveriesAfter(recoveries: number, next: Continue): number {
  if (next.counts) return 0
  return next.reason === 'max_output_tokens_recovery' ? recoveries + 1 : recoveries
}

/** A call that nobody described cannot run: the restrictive values. */
function described(block: ToolUseBlock, call: CallDescription | undefined): CallDescription {
  if (call?.id === block.id) return call
  const { id, name: tool, input } = block
  const refusal = 'This call cannot run: nothing is known about it.'
  return { id, tool, input, refusal, safe: false, readOnly: false, interrupt: 'block', checked: false }
}
