import type { z } from 'zod'
import type { ImageBlock, TextBlock, ToolResult, ToolUseBlock } from './message.ts'

/** What the model sees of a tool. `parameters` is JSON Schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What a tool may touch; permission defaults follow from it. */
export type ToolEffect = 'read' | 'edit' | 'execute' | 'network' | 'team' | 'none'

/** What a tool hands back. Errors are results too: `isError` tells the model, nothing is thrown. */
export interface ToolOutput {
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: boolean
  /** It broke off (an exception, its deadline) instead of answering: the calls beside it are cancelled. */
  readonly broke?: boolean
}

/** What a running tool gets from its surroundings. Its own input comes first; this is everything else. */
export interface ToolContext {
  readonly cwd: string
  readonly home: string
  readonly callId: string
  readonly signal: AbortSignal
  /** Live output for people: lossy, never journaled. */
  readonly progress: (text: string) => void
  /** The environment for child processes, already free of credentials. */
  readonly env: Readonly<Record<string, string>>
  /** Per-member memory that outlives a call (what was read, the todo list, a shell's directory). */
  readonly memory: Map<string, unknown>
  /** Present for members of a team. */
  readonly team?: TeamPort
}

/** What the coordination tools act through; the runtime implements it. */
export interface TeamPort {
  /** Names a member may address, itself excluded. */
  readonly recipients: readonly string[]
  send(mail: { to: string; text: string; callId: string }): TeamReceipt
  delegate(subtask: {
    worker: string
    task: string
    context?: string
    deadlineMs?: number
    callId: string
    index: number
  }): TeamReceipt
  stop(worker: string, reason: string): TeamReceipt
}

/** `id` is the mail's or the request's id; `note` is something to know; `error` names the remedy. */
export type TeamReceipt = { readonly id: string; readonly note?: string } | { readonly error: string }

/** A tool in full. What is left out takes the restrictive value (`defineTool` fills it in). */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly effect: ToolEffect
  isConcurrencySafe(input: Input): boolean
  isReadOnly(input: Input): boolean
  isDestructive(input: Input): boolean
  /** `block`: a new message waits for the tool; `cancel`: it stops the tool. An abort stops both. */
  readonly interrupt: 'block' | 'cancel'
  readonly requiresInteraction: boolean
  /** Characters after which the result is cut; Infinity opts out. */
  readonly maxResultChars: number
  /** Milliseconds, or null for none. */
  readonly timeout: number | null
  /** Meaning, after the shape is right: returns what is wrong in words for the model, or null. */
  check(input: Input, context: Pick<ToolContext, 'cwd' | 'memory' | 'team'>): Promise<string | null>
  run(input: Input, context: ToolContext): Promise<ToolOutput>
}

/** What a machine needs to know of a call, computed purely from its parsed input. */
export interface CallDescription {
  readonly id: string
  /** Canonical name; the name the model used when no such tool exists. */
  readonly tool: string
  readonly input: unknown
  /** Why the call cannot run (no such tool, wrong shape), in words for the model. */
  readonly refusal: string | null
  readonly safe: boolean
  readonly readOnly: boolean
  readonly interrupt: 'block' | 'cancel'
  /** The tool checks meaning as well as shape; without it that phase is skipped. */
  readonly checked: boolean
  /** A person or a hook changed the input after its shape was checked. */
  readonly amended?: boolean
}

export type DescribeCall = (call: ToolUseBlock) => CallDescription

/** A call's end, as the tool-call machine reports it. */
export interface CallOutcome {
  readonly result: ToolResult
  /** A person said stop: the agent ends after answering all its calls. */
  readonly stop: boolean
  /** The tool broke off while it ran: the calls beside it in the batch are cancelled. */
  readonly broke: boolean
}
