import type { AssistantMessage } from './conversation/message.ts'
import type { TerminalReason } from './conversation/agent-event.ts'
import type { ModelRequest } from './models/model.ts'
import type { Tool, ToolOutput } from './tools/tool.ts'

/** The moment at which middleware is called. */
export interface TurnMoment {
  readonly agent: string
  /** Number of the model answer, from 1. */
  readonly turn: number
  readonly signal: AbortSignal
}

/** A call as middleware sees it: its input is judged already and stays as it is. */
export interface SeenCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  /** Calls of this run so far, by tool. */
  readonly counts: Readonly<Record<string, number>>
}

/** The word of a gate: the call does not run, for this reason; or it has this result, if it is permitted at all. */
export type GateWord = { readonly block: string } | { readonly result: ToolOutput }

/** A run that begins. */
export interface BeginningRun {
  readonly agent: string
  readonly prompt: string
}

/** Things that a run has beside what its agent has. */
export interface RunAddition {
  /** Tools of this run alone. */
  readonly tools?: readonly Tool[]
  /** Words behind the system prompt of this run. */
  readonly system?: string
}

/** A run that has ended. */
export interface FinishedRun {
  readonly agent: string
  readonly reason: TerminalReason
  readonly text: string
}

/**
 * Code around the work of an agent; the first is the outermost. Every part may be left out. What middleware throws ends the
 * work, or breaks the tool call that it stands around; the error names it.
 *
 * @source seed C, the hooks around an agent
 * @example
 * const timed: Middleware = {
 *   name: 'timed',
 *   async wrapToolCall(call, next) {
 *     const began = performance.now()
 *     const output = await next()
 *     console.error(`${call.tool}: ${performance.now() - began} ms`)
 *     return output
 *   },
 * }
 */
export interface Middleware {
  /** For messages. */
  readonly name: string
  /** Before the first question of a run. */
  beforeAgent?(run: BeginningRun): Promise<RunAddition | undefined> | RunAddition | undefined
  /** Changes what a model is asked: messages, system prompt, tools; nothing of that is kept in the conversation. */
  modifyRequest?(request: ModelRequest, moment: TurnMoment): Promise<ModelRequest> | ModelRequest
  /** Stands around a model call, its retries included; may call `next` more than once, or not at all. */
  wrapModelCall?(
    request: ModelRequest,
    next: (request: ModelRequest) => Promise<AssistantMessage>,
    moment: TurnMoment,
  ): Promise<AssistantMessage>
  /** Changes an answer before it is kept and its calls are made. The innermost is first. */
  postSampling?(message: AssistantMessage, moment: TurnMoment): Promise<AssistantMessage> | AssistantMessage
  /** Asked about each call before hooks and permissions; the first word counts, and `block` before `result`. */
  gateToolCall?(
    call: SeenCall,
    moment: Pick<TurnMoment, 'agent' | 'signal'>,
  ): Promise<GateWord | undefined> | GateWord | undefined
  /** Stands around a call that is permitted. */
  wrapToolCall?(
    call: SeenCall,
    next: () => Promise<ToolOutput>,
    moment: Pick<TurnMoment, 'agent' | 'signal'>,
  ): Promise<ToolOutput>
  /** Words for a model that calls a tool which is not there; undefined leaves it to the next one. */
  unknownTool?(name: string): string | undefined
  /** After a run. The innermost is first. */
  afterAgent?(run: FinishedRun): Promise<void> | void
}
