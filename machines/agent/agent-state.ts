import type { ContinueReason, TerminalReason } from '../../src/protocol/conversation/agent-event.ts'
import type { MailPriority } from '../../src/protocol/mail/envelope.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Failure } from '../../src/protocol/conversation/failure.ts'
import type { AssistantMessage, ToolResult, UserMessage } from '../../src/protocol/conversation/message.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import type { EscalationPlan, VerifyPlan } from '../../src/protocol/team/work-card.ts'
import type { StuckLimits } from '../../src/protocol/tools/tool-limits.ts'
import type { TurnMark } from '../../src/rules/conversation/stuck-loop.ts'
import { freshTracker, type BudgetTracker } from '../../src/rules/conversation/token-budget.ts'

/** The card of an agent; frozen for the whole run. */
export interface AgentInput {
  /** The member's name inside its team. */
  readonly agent: string
  /** `provider/model` to begin with. */
  readonly model: string
  /** Left out when mail woke the agent: then the inbox is the prompt. */
  readonly prompt?: UserMessage
  readonly limits: {
    /** Model answers in one run, at least 1. */
    readonly max_turns: number
    /** Output tokens that the work is meant to be worth: short of it the agent is told to go on. */
    readonly token_goal?: number
    /** Safe calls that may run at the same time (default 10). */
    readonly parallel_calls?: number
    /** Characters that the results of one turn may have together before the model is told to digest them. */
    readonly turn_output?: number
    /** When an agent that makes no progress is ended. */
    readonly stuck?: StuckLimits
  }
  /** Hooks exist: without them no hook phase is entered. */
  readonly hooked: boolean
  /** The stronger model that the agent may turn to. */
  readonly escalate?: EscalationPlan
  /** The model that goes on with work which an earlier life handed to its stronger model. */
  readonly escalated?: string
  /** How the work is checked; left out when nothing checks it. */
  readonly verify?: VerifyPlan
}

/** A command to a running agent. Each carries its time: machines read no clock. */
export type AgentCommand =
  | { readonly type: 'abort'; readonly at: number; readonly reason?: string }
  /** Mail came, or the gathering a parked lead waits for has settled. */
  | { readonly type: 'wake'; readonly at: number }
  /** A message that does not wait came, by mail or with a steer: the model call or the calls of tools are given up. */
  | { readonly type: 'interrupt'; readonly at: number }
  /** Speaks before the next model call; calls that have not begun are skipped for it. */
  | { readonly type: 'steer'; readonly at: number; readonly message: UserMessage }
  /** Speaks when the agent would stop. */
  | { readonly type: 'follow_up'; readonly at: number; readonly message: UserMessage }

export type AgentFact = FactOf<
  | 'agent.started'
  | 'message.appended'
  | 'message.tombstoned'
  | 'model.requested'
  | 'model.settled'
  | 'turn.continued'
  | 'permission.decided'
  | 'call.started'
  | 'call.finished'
  | 'call.coerced'
  | 'turn.overflowed'
  | 'agent.parked'
  | 'agent.ended'
  | 'verify.settled'
  | 'model.escalated'
  | 'warning.raised'
>

/** Where the loop goes on, decided at one of many places and carried out at one. */
export interface Continue {
  readonly reason: ContinueReason
  readonly messages: readonly UserMessage[]
  /** Another turn, limited by `max_turns`; a repetition of the same turn is not. */
  readonly counts: boolean
  /** The agent may wait for its requests before it asks the model again. */
  readonly parks: boolean
}

export interface End {
  readonly reason: TerminalReason
  readonly failure?: Failure
}

/** All of an agent that changes while it runs. Replaced as a whole, never edited; without any history. */
export interface LoopState {
  /** The number of the model call that is being made or was made last, from 1. */
  readonly turn: number
  readonly model: string
  /** Recoveries from a cut-off answer in a row. */
  readonly recoveries: number
  /**
   * A refused request was made shorter. It is done again when an answer was accepted since (`answered`) and the results of
   * calls have come after that: else two refusals in a row would never end.
   */
  readonly shrunk: 'no' | 'just' | 'answered'
  /** The conversation was fitted into its window for the question that comes next. */
  readonly fitted: boolean
  readonly next: Continue
  readonly end: End
  /** The model's latest message, a failed one included. */
  readonly message: AssistantMessage | null
  /**
   * The calls of the last answer, until the model is asked again: an abort meanwhile comes after tools, not in a
   * stream.
   */
  readonly calls: readonly CallDescription[]
  readonly batches: readonly (readonly number[])[]
  readonly batch: number
  /** Calls of this batch that have not ended. */
  readonly running: number
  /** By index into `calls`; a hole is a call without a result. */
  readonly results: Readonly<Partial<Record<number, ToolResult>>>
  /** Mail came between two batches. */
  readonly received: boolean
  /** A new message came: calls that have not begun are skipped. */
  readonly skips: boolean
  /** Words for the model after the results of these calls. */
  readonly hints: readonly string[]
  /** Why the calls in hand are given up, in words for the model. */
  readonly stopped: string | null
  /** Latest turns with calls, for the loop guard. */
  readonly marks: readonly TurnMark[]
  /** Calls so far, by tool. */
  readonly used: Readonly<Record<string, number>>
  /** The agent ended with nothing and was asked for the answer that it owes. */
  readonly reminded: boolean
  /** Output tokens so far. */
  readonly tokens: number
  readonly tracker: BudgetTracker
  readonly verified: boolean
  /** The agent turned to its stronger model. */
  readonly risen: boolean
  /** Turns in a row with calls that could not be made as they were written. */
  readonly clumsy: number
  /** Ends in a row at which the check did not pass. */
  readonly refutals: number
  /** The budget leaves one answer more: `ends` when the agent ends with it whatever it says. */
  readonly windingDown: 'no' | 'told' | 'ends'
  readonly steers: readonly UserMessage[]
  readonly followUps: readonly UserMessage[]
  /** A bell that rang since the inbox was last looked into. */
  readonly rung: MailPriority | null
  /** The agent may wait for its requests: its last calls only delegated, or mail alone woke it. */
  readonly parkable: boolean
}

export interface AgentContext {
  readonly card: AgentInput
  readonly state: LoopState
}

/** The outcome of a pure transition: the next state, and the facts to state in this order. */
export interface AgentStep {
  readonly state: LoopState
  readonly facts: readonly AgentFact[]
}

/** No continue is planned. */
export const nowhere: Continue = { reason: 'next_turn', messages: [], counts: false, parks: false }

export function freshState(card: AgentInput): LoopState {
  return {
    turn: 1,
    model: card.escalated ?? card.model,
    recoveries: 0,
    shrunk: 'no',
    fitted: false,
    next: nowhere,
    end: { reason: 'completed' },
    message: null,
    calls: [],
    batches: [],
    batch: 0,
    running: 0,
    results: {},
    received: false,
    skips: false,
    hints: [],
    stopped: null,
    marks: [],
    used: {},
    reminded: false,
    tokens: 0,
    tracker: freshTracker,
    verified: false,
    risen: card.escalated !== undefined,
    clumsy: 0,
    refutals: 0,
    windingDown: 'no',
    steers: [],
    followUps: [],
    rung: null,
    parkable: card.prompt === undefined,
  }
}

/** `appended(message)`: the fact that makes a message part of the conversation for good. */
export function appended(message: FactOf<'message.appended'>['message']): AgentFact {
  return { type: 'message.appended', message }
}
