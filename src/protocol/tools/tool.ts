import type { HookOpinion } from '../hooks/hook.ts'
import type { z } from 'zod'
import type { Coercion, RefusalKind } from './call-fact.ts'
import type { Filesystem, FileWriters } from './filesystem.ts'
import type { ImageBlock, TextBlock, ToolResult, ToolUseBlock } from '../conversation/message.ts'
import type { Contract } from '../mail/envelope.ts'
import type { MemoryPort } from '../memory/memory.ts'
import type { Decision, Reach } from '../permissions/permission.ts'
import type { OpenedSkill, SkillWish } from '../skills/skill.ts'
import type { TaskPort } from '../work/task.ts'
import type { Todo } from '../work/todo.ts'
import type { TextStore } from './text-store.ts'
import type { OpenQuestion } from './own-question.ts'

/** The model's view of a tool. `parameters` is JSON Schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Kinds of things that a tool may touch; permission defaults follow from the kind. */
export type ToolEffect = 'read' | 'edit' | 'execute' | 'network' | 'team' | 'none'

/** The result of a tool. Errors are results too: `isError` tells the model, no exception is thrown. */
export interface ToolOutput {
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: boolean
  /** How the program that it ran ended, unless with 0. */
  readonly exit?: ToolResult['exit']
  /**
   * True when the tool broke off (an exception, its deadline) instead of answering: the calls beside it are cancelled.
   */
  readonly broke?: boolean
  /** True when the tool failed before it had any effect: a tool that declares `retry` runs again. */
  readonly transient?: boolean
  /** A stamp of the sources of the result: while it stays the same, an equal call has an equal result. */
  readonly stamp?: string
  /** Where the whole result was put, when this is a part of it. */
  readonly stored?: StoredResult
  /** The file that was read whole or changed. */
  readonly file?: TouchedFile
}

/** A file with the content that a call saw in it or left there. */
export interface TouchedFile {
  /** Where it really lies. */
  readonly path: string
  readonly sha256: string
  readonly wrote: boolean
}

export interface StoredResult {
  readonly sha256: string
  readonly chars: number
}

/** The surroundings of a running tool: everything beside the tool's own input, which comes first. */
export interface ToolContext {
  readonly cwd: string
  readonly home: string
  readonly callId: string
  readonly signal: AbortSignal
  /** Live output for people: lossy, never journaled. */
  readonly progress: (text: string) => void
  /** Where long texts are put aside; absent where nothing is kept on disk. */
  readonly store?: TextStore
  /** The environment for child processes, already free of credentials. */
  readonly env: Readonly<Record<string, string>>
  /** Per-member memory that outlives a call (what was read, a shell's directory). */
  readonly memory: Map<string, unknown>
  readonly files: Filesystem
  /** Where the paths of this call really led when it was permitted, by path; nothing else may be touched under them. */
  readonly led?: ReadonlyMap<string, string>
  /** Whether permission rules close a file that a search below `root` found: it is neither read nor named. */
  readonly closed?: (path: string, root: string) => boolean
  /** Searches find what `.gitignore` excludes, too. */
  readonly unignored?: boolean
  /** Puts shell commands into a sandbox, where the member's policy asks for one. */
  readonly wrapCommand?: CommandWrap
  /** Finds the member of the run that wrote a file: present for members of a team. */
  readonly writers?: FileWriters
  /** Puts a question to a person and returns the answer, null when nobody gave one; absent where nobody can be asked. */
  readonly ask?: (question: OpenQuestion, signal: AbortSignal) => Promise<string | null>
  /** Present for members of a team. */
  readonly team?: TeamPort
  /** Asks the agent's advisor; absent where it has none. */
  readonly advise?: (asked: AdviceRequest, signal: AbortSignal) => Promise<Advice>
  /** The agent's memories; absent where it has none. */
  readonly memories?: MemoryPort
  /** How this agent plans before it changes anything. */
  readonly plan?: PlanPort
  /** Keeps the agent's todo list; absent where nothing is journaled. */
  readonly keepTodos?: (todos: readonly Todo[], callId: string) => void
  /** Opens a skill of the agent; absent where it has none. */
  readonly openSkill?: (wish: SkillWish, callId: string, signal: AbortSignal) => Promise<OpenedSkill>
}

/** A question for the advisor, which sees nothing else. */
export interface AdviceRequest {
  readonly question: string
  readonly context: string
}

/** `trouble`: why there is none. */
export type Advice = { readonly text: string } | { readonly trouble: string }

/** The acts behind the tools of plan mode. */
export interface PlanPort {
  /** True while no change is allowed. */
  planning(): boolean
  /** No approved plan would change that. */
  bound(): boolean
  enter(callId: string, reason: string): void
  approve(callId: string, plan: string): void
}

/** The program to start instead of `argv` for a call with this input, or why none may be started. */
export type CommandWrap = (
  input: Readonly<Record<string, unknown>>,
  argv: readonly [string, ...string[]],
  place: CommandStart,
) => Promise<WrappedCommand | { readonly trouble: string }>

export interface CommandStart {
  readonly cwd: string
  /** Files that members wrote with their tools were allowed, and stay. */
  readonly writers?: FileWriters | undefined
}

export interface WrappedCommand {
  readonly argv: readonly [string, ...string[]]
  /** To be called when the command has ended, however that was: what there is to tell about what it left. */
  readonly behind?: () => Promise<string>
}

/** The acts behind the coordination tools; the runtime implements them. */
export interface TeamPort {
  /** Names a member may address, itself excluded. */
  readonly recipients: readonly string[]
  send(mail: { to: string; text: string; question: boolean; callId: string }): TeamReceipt
  /** Notes that the member waits for the word of another: what it owes stays open until then. */
  wait(wait: { for: string; reason: string; callId: string }): TeamReceipt
  /** Ends the member's work on a request, or, where none is named, on the task of the run; an error names what is open. */
  report(report: { request?: string; text: string; files: readonly string[] }): TeamReceipt
  /** Hands out the subtasks of one call; one receipt each, in their order. */
  delegate(errands: readonly Errand[], callId: string): Promise<readonly TeamReceipt[]>
  /** Ends what a worker does; `all` cancels every open request and ends nobody. */
  stop(wish: {
    readonly worker: string
    readonly reason: string
    /** How long the worker may take to finish, or to refuse; 0: it is not asked. */
    readonly grace_ms: number
  }): TeamReceipt
  /** Present where the team has a task board. */
  readonly tasks?: TaskPort
}

/** A subtask as it is delegated. */
export interface Errand {
  /** A worker, or a card of which a free replica takes it. */
  readonly worker: string
  readonly task: string
  readonly context?: string
  /** A name by which other subtasks of the same call refer to this one. */
  readonly name?: string
  readonly depends_on: readonly (string | number)[]
  /** The shape that the result must have. */
  readonly returns?: Contract
  readonly deadlineMs?: number
}

/** `id` is the mail's or the request's id; `note` is something to know; `error` names the remedy. */
export type TeamReceipt = { readonly id: string; readonly note?: string } | { readonly error: string }

/**
 * Further attempts after a failure that passes: `times` attempts, the first after `pauseMs`, each later one after
 * twice the pause. A failure passes when the output says `transient`, or `isTransient` says so of the thrown error.
 */
export interface ToolRetry {
  readonly times: number
  readonly pauseMs?: number
  isTransient?(error: unknown): boolean
}

/**
 * Whether the result of a read-only call answers the very same call again. `turn`: inside one message of the model.
 * `until_write`: also later, until a tool changes something, as long as `stamp` still gives what the output had.
 */
export type ToolReuse = 'never' | 'turn' | 'until_write'

/** A tool in full. What is left out takes the restrictive value (`defineTool` fills it in). */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly input: z.ZodType<Input>
  /** JSON Schema of the arguments, where somebody else wrote it and `input` cannot say it. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Files that a call with this input speaks of, beside what the tool's name tells. */
  paths?(input: Input): readonly string[]
  readonly effect: ToolEffect
  isConcurrencySafe(input: Input): boolean
  isReadOnly(input: Input): boolean
  isDestructive(input: Input): boolean
  /** `block`: a new message waits for the tool; `cancel`: it stops the tool. An abort stops both. */
  readonly interrupt: 'block' | 'cancel'
  readonly requiresInteraction: boolean
  /** Where each call sends its input, and which variables of the environment with it. */
  readonly reaches?: Reach
  /** True for a tool whose schema is shown only after a look-up with ToolSearch. */
  readonly defer: boolean
  /** Never deferred, even where all others are. */
  readonly alwaysLoad?: boolean
  /** Whether the tool is offered in a turn; asked for each. */
  isEnabled?(): boolean
  /** Takes the place of a tool that broke off, when no attempt is left. */
  fallback?(input: Input, context: ToolContext, failed: ToolOutput): Promise<ToolOutput>
  /** The work goes on without the tool when it breaks off: that is no error for the model. */
  readonly optional?: boolean
  /** Characters after which the result is cut; Infinity opts out. */
  readonly maxResultChars: number
  /** Milliseconds, or null for none. */
  readonly timeout: number | null
  readonly retry: ToolRetry | null
  readonly reuse: ToolReuse
  /** A stamp of the sources that a call with this input would use now; null when that cannot be said. */
  stamp(input: Input, context: ToolContext): Promise<string | null>
  /** Meaning, after the shape is right: returns what is wrong in words for the model, or null. */
  check(input: Input, context: Pick<ToolContext, 'cwd' | 'memory' | 'team' | 'plan' | 'advise'>): Promise<string | null>
  run(input: Input, context: ToolContext): Promise<ToolOutput>
}

/** The properties of a call that a machine decides by, computed purely from the call's parsed input. */
export interface CallDescription {
  readonly id: string
  /** Canonical name; the name the model used when no such tool exists. */
  readonly tool: string
  readonly input: unknown
  /** Why the call cannot run (no such tool, wrong shape), in words for the model. */
  readonly refusal: string | null
  readonly refusedFor?: RefusalKind
  /** Arguments that were read as another type than they were written in. */
  readonly coerced?: readonly Coercion[]
  readonly safe: boolean
  readonly readOnly: boolean
  /** True for a call that may change files or run programs that do. */
  readonly changes?: boolean
  /** The runtime's own, not the model's: it stands in no message and starts in the working directory. */
  readonly own?: boolean
  readonly interrupt: 'block' | 'cancel'
  /** True for a call that runs again after a failure that passes. */
  readonly repeats?: boolean
  /** The tool checks meaning as well as shape; without it that phase is skipped. */
  readonly checked: boolean
  /** A person or a hook changed the input after its shape was checked. */
  readonly amended?: boolean
  /** The opinion of hooks, for the rules to weigh. */
  readonly opinion?: HookOpinion
  /** A limit or an equal call is to be looked at before it runs; without it that phase is skipped. */
  readonly gated?: boolean
  /**
   * Set while the call's tool has not been looked up yet. This complaint comes last of all: every other complaint is
   * said first.
   */
  readonly deferred?: DeferredCall
  /** The cascade allowed it as it was described. Holds for a call that starts at once, before anything else ran. */
  readonly allowed?: Decision
}

export interface DeferredCall {
  /** In words for the model. */
  readonly why: string
  /** The cascade denies it: then that is what the model is told. */
  readonly denied: boolean
}

export type DescribeCall = (call: ToolUseBlock) => CallDescription

/** A call's end, as the tool-call machine reports it. */
export interface CallOutcome {
  readonly result: ToolResult
  /** A person said stop: the agent ends after answering all its calls. */
  readonly stop: boolean
  /** The tool broke off while it ran: the calls beside it in the batch are cancelled. */
  readonly broke: boolean
  /** A note to the model after the results of this turn. */
  readonly steer?: string
}
