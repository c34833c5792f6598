import type { ContinueReason, TerminalReason } from './agent-event.ts'
import type { MailPriority } from './envelope.ts'
import type { Failure } from './failure.ts'
import type { AssistantMessage } from './message.ts'
import type { Answer, Decision } from './permission.ts'
import type { CallDescription, ToolOutput } from './tool.ts'

/**
 * What machines ask of the world and what comes back: the WORK flow. Machines name these ports,
 * `runtime/ports.ts` provides them, adapters do the work. Every port is one question with one answer,
 * its promise is aborted when the asking state is left, and "no opinion" is always a legal answer.
 */

// ── ports of machines/agent.ts ──

/** Drains the inbox, journals what came, says whether the loop should go on. */
export interface IntakeInput {
  readonly turn: number
  /** The agent may wait for its requests: it did nothing but delegate, or mail alone woke it. */
  readonly parkable: boolean
}
export interface IntakeOutput {
  /** Messages that became part of the conversation just now. */
  readonly received: number
  /** Stay parked: outstanding requests are still being gathered. */
  readonly hold: boolean
  /** The conversation ends with something that wants an answer. */
  readonly answerable: boolean
}

export interface CompactInput {
  readonly trigger: 'auto' | 'reactive'
}
export interface CompactOutput {
  readonly compacted: boolean
}

export interface AskInput {
  readonly turn: number
}
/** Everything a model call can lead to; a failure is a settled message with `stop: 'error'`. */
export type AskOutput =
  | {
      readonly kind: 'settled'
      readonly message: AssistantMessage
      /** One per tool_use block, same order. */
      readonly calls: readonly CallDescription[]
      readonly cost_usd: number | null
      readonly duration_ms: number
    }
  /** The primary model gave up: entries to tombstone, and who answers from now on. */
  | { readonly kind: 'fallback'; readonly model: string; readonly tombstones: readonly string[] }
  | { readonly kind: 'escalated'; readonly model: string }

export interface StopHooksInput {
  readonly turn: number
}
export type StopHooksOutput =
  | { readonly verdict: 'none' | 'prevent' }
  | { readonly verdict: 'block'; readonly messages: readonly string[] }

export interface VerifyInput {
  readonly turn: number
}
export type VerifyOutput =
  | { readonly verdict: 'none' | 'passed' }
  | { readonly verdict: 'failed'; readonly message: string }

/** Told, never asked: an API error ended the run, so stop hooks did not see it. */
export interface StopFailureInput {
  readonly failure: Failure
}

export interface AgentOutput {
  readonly reason: TerminalReason
  readonly turn: number
  readonly failure?: Failure
  /** Session-scoped guard, handed to the next run of the same member (A12). */
  readonly compactedReactively: boolean
}

// ── ports of machines/tool-call.ts ──

export interface CallInput {
  readonly call: CallDescription
}
/** Meaning: `null` when nothing is wrong. */
export interface ValidateOutput {
  readonly complaint: string | null
}
export type PreHooksOutput =
  | { readonly verdict: 'none'; readonly updated_input?: unknown }
  | { readonly verdict: 'block'; readonly message: string }
export interface RunOutput {
  readonly output: ToolOutput
  readonly duration_ms: number
}
export interface PostHooksInput {
  readonly call: CallDescription
  readonly output: ToolOutput
}
export interface PostHooksOutput {
  /** Text added to the result for the model. */
  readonly note: string | null
}

// ── ports of machines/permission.ts ──

export interface AnswerInput {
  readonly call: CallDescription
  /** The cascade's `ask`, with the rule or mode that asked. */
  readonly decision: Decision
}
export type { Answer }
export interface PermissionOutput {
  readonly decision: Decision
  /** The person also said: end this agent's run. */
  readonly stop: boolean
  readonly updated_input?: unknown
}

// ── ports of machines/member.ts ──

export interface OpenOutput {
  /** The journal ends in the middle of a piece of work: the member goes on with it. */
  readonly unanswered: boolean
}
export interface UnreadOutput {
  readonly unread: number
}
export interface ReplyInput {
  readonly outcome: AgentOutput
}
export interface ReplyOutput {
  readonly replied: readonly { readonly request: string; readonly mail_id: string }[]
}
export interface Rang {
  readonly priority: MailPriority
}

// ── ports of machines/coordinator.ts ──

export interface RedelegateInput {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly attempt: number
  readonly deadline: number | null
}
export interface RedelegateOutput {
  readonly mail_id: string
}

// ── ports of machines/team.ts ──

export interface SpawnInput {
  readonly member: string
  readonly attempt: number
}
export interface TerminateInput {
  readonly member: string
  readonly reason: string
}
/** What `rules/quiescence.ts` judges; read from the run directory, not remembered. */
export interface Survey {
  readonly members: readonly { readonly name: string; readonly busy: boolean; readonly undelivered: number }[]
  readonly pendingPermissions: number
  /** Ids of requests without a result and of replies owed. */
  readonly open: readonly string[]
}
export interface NudgeInput {
  readonly open: readonly string[]
}
export interface CollectOutput {
  readonly result: string | null
}

export type { ContinueReason, TerminalReason }

// ── the approver: who answers when the cascade says ask ──

export interface Question {
  readonly member: string
  readonly call: CallDescription
  readonly decision: Decision
}
/** Answers one question at a time, in order; rejects only when the signal aborts. */
export interface Approver {
  answer(question: Question, signal: AbortSignal): Promise<Answer>
}
