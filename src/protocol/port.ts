import type { SpawnManifest, Termination } from './team/executor.ts'
import type { TerminalReason } from './conversation/agent-event.ts'
import type { Contract } from './mail/envelope.ts'
import type { CompactionTrigger } from './facts/context-fact.ts'
import type { FactOf, IdleReason } from './facts/fact.ts'
import type { HookOpinion } from './hooks/hook.ts'
import type { Failure } from './conversation/failure.ts'
import type { AssistantMessage } from './conversation/message.ts'
import type { Answer, Decision } from './permissions/permission.ts'
import type { Behind, Grants, NearRule } from './permissions/approval-file.ts'
import type { CallDescription, ToolOutput } from './tools/tool.ts'
import type { OpenQuestion } from './tools/own-question.ts'

/**
 * Questions of machines to the world, and the answers: the WORK flow. Machines name these ports,
 * `runtime/agent/agent-ports.ts` provides them, adapters do the work. Every port is one question with one answer, its
 * promise is aborted when the asking state is left, and "no opinion" is always a legal answer.
 */

// Ports of machines/agent/agent.ts

/** Drains the inbox, journals what came, says whether the loop should go on. */
export interface IntakeInput {
  readonly turn: number
  /** The agent may wait for its requests: it did nothing but delegate, or mail alone woke it. */
  readonly parkable: boolean
  /** The answer is written: mail that does not change it waits until it is out. */
  readonly answered?: true
}
export interface IntakeOutput {
  /** Messages that became part of the conversation just now. */
  readonly received: number
  /** One of them does not wait. */
  readonly urgent?: boolean
  /** Stay parked: outstanding requests are still being gathered. */
  readonly hold: boolean
  /** The conversation ends with something that wants an answer. */
  readonly answerable: boolean
  /** The agent owes an answer, has given none and waits for nobody. */
  readonly owes?: boolean
  /** The work that begins looks hard. */
  readonly hard?: boolean
}

export interface CompactInput {
  readonly trigger: Extract<CompactionTrigger, 'auto' | 'reactive'>
  /** The matter that a summary shall dwell on, which a person asks for now. */
  readonly focus?: string
}
export interface CompactOutput {
  readonly compacted: boolean
}

export interface AskInput {
  readonly turn: number
  /** The model that is to answer: the member's own, or its stand-in. */
  readonly model: string
  /** The model that goes on when the budget has no room for that one: the member's own, beside a stronger one. */
  readonly instead?: string
  /** True when the agent was told that the budget leaves no more than this answer. */
  readonly last?: boolean
  /** The conversation was made as short as it gets for this question: it is asked however long it is. */
  readonly fitted?: boolean
}
/** All outcomes of a model call; a failure is a settled message with `stop: 'error'`. */
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
  /** The model was not asked yet: the window is nearly full, or a person wants the conversation to be shorter. */
  | { readonly kind: 'crowded' }
  /** The budget leaves one answer more: what the agent is told, and whether it ends with that answer in any case. */
  | { readonly kind: 'winding_down'; readonly notice: string; readonly ends: boolean }

export interface StopHooksInput {
  readonly turn: number
}
export type StopHooksOutput =
  | { readonly verdict: 'none' }
  /** With a failure the work has failed. */
  | { readonly verdict: 'prevent'; readonly failure?: Failure }
  | { readonly verdict: 'block'; readonly messages: readonly string[] }

/** The outcome of a check; `none`: the check did not run, and says nothing about the work. */
export type VerifyOutput =
  | { readonly verdict: 'passed' }
  | { readonly verdict: 'failed'; readonly report: string }
  /** `stop`: a person who was asked also said to end this agent's run. */
  | { readonly verdict: 'none'; readonly stop: boolean }

export interface StopFailureInput {
  readonly failure: Failure
}

export interface AgentOutput {
  readonly reason: TerminalReason
  readonly turn: number
  readonly failure?: Failure
}

// Ports of machines/call/tool-call.ts

export interface CallInput {
  readonly call: CallDescription
}
/** Meaning: `null` when nothing is wrong. */
export interface ValidateOutput {
  readonly complaint: string | null
}
/** A hook that answers takes the place of the tool; `stop` also ends this agent's run. A changed input is checked again. */
export type PreHooksOutput =
  | { readonly verdict: 'none'; readonly updated_input?: unknown; readonly opinion?: HookOpinion }
  | { readonly verdict: 'block'; readonly message: string; readonly by?: string; readonly stop?: boolean }
  | { readonly verdict: 'answer'; readonly output: ToolOutput }
/** A permission that was not given, told to whoever wants to know. */
export interface DeniedHooksInput extends CallInput {
  readonly decision: Decision
}
/**
 * Whether a permitted call still runs: first its tool's limit is asked, then whether an equal call answers it, at last
 * whether its tool was looked up.
 */
export type GateOutput = { readonly limited?: Limited } & (
  | { readonly verdict: 'run' }
  | { readonly verdict: 'block'; readonly message: string; readonly why?: 'deferred' }
  | { readonly verdict: 'answer'; readonly output: ToolOutput; readonly of: string }
)
/** A limit was reached; `steer` is what the model is told of it, once. */
export interface Limited {
  readonly limit: number
  readonly then: 'block' | 'steer'
  readonly steer?: string
}
export interface RunInput extends CallInput {
  /** The number of the attempt, counted from 1. */
  readonly attempt: number
}
export interface RunOutput {
  readonly output: ToolOutput
  readonly duration_ms: number
  /** The failure passes and an attempt is left: how long to wait before it. */
  readonly again_ms?: number
}
export interface PostHooksInput {
  readonly call: CallDescription
  readonly output: ToolOutput
  readonly duration_ms: number
}
export interface PostHooksOutput {
  /** Text added to the result for the model; `instead` takes the result's place, `stop` ends this agent's run. */
  readonly note: string | null
  readonly instead?: string
  readonly stop?: boolean
}

// Ports of machines/call/permission.ts

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

// Ports of machines/call/verification.ts

export type CheckInput = CallInput & { readonly timeout_ms: number }
/** The outcome of a permitted command; `report` holds its printed text, bounded, and its ending. */
export interface CheckOutput {
  readonly passed: boolean
  readonly report: string
  readonly duration_ms: number
}

// Ports of machines/call/approval.ts

/** The consultants before, or beside, a person. */
export interface RequestPlan {
  /** `race`: everybody at once, the first opinion counts; `sequence`: a person only when nobody else had one. */
  readonly order: 'race' | 'sequence'
  readonly hooked: boolean
  readonly classifies: boolean
}
/** Where the question lies for whoever may answer it; null when it is put to one approver of this process alone. */
export interface RegisterOutput {
  readonly request: string | null
  /** Absolute, from the question's first asking, and how long that is from now. */
  readonly deadline: number | null
  readonly wait_ms: number | null
}
export interface WaitInput extends AnswerInput {
  readonly request: string | null
}
/** An answer that was found beside the question's own place: it counts unless somebody answered there first. */
export interface ClaimInput extends WaitInput {
  readonly answer: Answer
}
export interface RememberInput extends CallInput {
  readonly answer: Answer
}

// Ports of machines/member/member.ts

export interface OpenOutput extends Pick<UnreadOutput, 'unread'> {
  /** The model that has the work left half done, since it was handed to the stronger one. */
  readonly escalated?: string
}
export interface UnreadOutput {
  /** How much there is to do: mail that was not looked at, news of its requests, a task whose turn has come, work left half done. */
  readonly unread: number
  /** The reason why the resting member waits. */
  readonly waits?: IdleReason
  /** The members whose word it needs before it can go on. */
  readonly waiting_for?: readonly string[]
}
export interface ReplyInput {
  readonly outcome: AgentOutput
  readonly leaving?: boolean
}
export interface ReplyOutput {
  readonly replied: readonly { readonly request: string; readonly mail_id: string }[]
}

// Ports of machines/coordinator/coordinator.ts

/** Gives a request to its worker: once more, or for the first time when it had to wait for others. */
export interface HandOutInput {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly attempt: number
  readonly deadline: number | null
  /** Requests that are done and whose results belong to the task. */
  readonly depends_on: readonly string[]
  readonly returns: Contract | null
}
export interface HandOutOutput {
  readonly mail_id: string
}
/** Tells a worker that nobody waits for a request any more. */
export interface RecallInput {
  readonly request: string
  readonly worker: string
  readonly reason: string
}

// Ports of machines/team/team.ts

export type SpawnInput = Omit<SpawnManifest, 'runDir'>
export type TerminateInput = Termination
/** The state that `machines/team/quiet.ts` judges; read from the run directory, not remembered. */
export interface Survey {
  readonly members: readonly { readonly name: string; readonly busy: boolean; readonly undelivered: number }[]
  readonly pendingPermissions: number
  /** Ids of requests without a result and of replies owed. */
  readonly open: readonly string[]
}
export interface NudgeInput {
  readonly open: readonly string[]
}
export interface CollectOutput extends Pick<FactOf<'team.ended'>, 'result' | 'afterwards'> {
  readonly flaw?: Pick<FactOf<'team.ended'>, 'status' | 'reason'> | null
}

// The approver: who answers when the cascade says ask

export interface Question {
  readonly member: string
  readonly call: CallDescription
  readonly decision: Decision
  /** The member's work at hand, when it is known. */
  readonly task?: string
  /** Messages of other members that the call serves. */
  readonly behind?: readonly Behind[] | undefined
  /** Rules that would permit the call from now on. */
  readonly grants: Grants
  /** Rules that speak of the same tool. */
  readonly near: readonly NearRule[]
}
/** Answers one question at a time, in order; rejects only when the signal aborts. */
export interface Approver {
  answer(question: Question, signal: AbortSignal): Promise<Answer>
  /** Puts a member's own question to a person; null when nobody answers. Absent where there is no person. */
  ask?(asked: OpenQuestion & { readonly member: string }, signal: AbortSignal): Promise<string | null>
}
