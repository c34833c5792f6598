import type { Message } from '../../protocol/conversation/message.ts'
import type { Consult } from '../recovery/consult.ts'
import type { Pricing } from '../models/pricing.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import type { Behind } from '../../protocol/permissions/approval-file.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Tool, ToolContext, ToolSpec } from '../../protocol/tools/tool.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import type { ModelSizes } from '../../rules/conversation/answer-length.ts'
import type { Limit } from '../../rules/team/wind-down-text.ts'
import type { IntakeOutput, StopHooksOutput } from '../../protocol/port.ts'
import type { Extractor } from '../memory/extractor.ts'
import type { ApprovalPort } from '../permissions/approval-port.ts'
import type { AgentPrompt } from '../prompt/open-prompt.ts'
import type { AgentHooks } from '../hooks/hook-engine.ts'
import type { ChangeKeeper } from '../../adapters/tools/changes/keep-changes.ts'
import type { ComposedMiddleware } from '../middleware/compose-middleware.ts'
import type { CallBook } from './call-book.ts'

/** Live text for the screen: lossy, never journaled, past the machines. */
export interface Delta {
  readonly member: string
  /** `reset`: what was streamed of this answer is void, it is asked for again. */
  readonly type: 'text' | 'thinking' | 'progress' | 'reset'
  readonly text: string
  readonly call_id?: string
}

/** The tools of one turn. They do not change before the next question (A17). */
export interface TurnTools {
  readonly tools: ReadonlyMap<string, Tool>
  readonly specs: readonly ToolSpec[]
  /** Why a tool of the member is not among them now. */
  absence(name: string): string | null
  /** Why a tool that was not looked up yet is not among them. */
  deferral(name: string): string | null
}

/** The way to the models that answer an agent. */
export interface ModelAccess {
  /** Asks the models, and recovers from their failures. */
  readonly recovery: Recovery
  /** Wishes for the answer of a turn. */
  wishes(
    turn: number,
  ): Pick<ModelRequest, 'effort' | 'thinking_budget' | 'thinking_display' | 'max_tokens' | 'cache' | 'sampling'>
  /** Dollars, or null when nobody knows the price. */
  readonly price: Pricing['price']
  /** Asks another model about a call, or for a summary. */
  readonly consult: Consult
  /** The sizes of a model, as its own refusals have corrected them. */
  sizes(model: string): ModelSizes
  modelOf(name: string): Model | undefined
  /** The model that answers where this one would: a command's, or the one that a person chose; absent where nobody can. */
  instead?(model: string): Promise<string>
  /** Whether turns that become dearer and dearer are told, or the end of the work (default: told). */
  readonly runaway?: 'warn' | 'stop' | undefined
  /** The limit that refused the latest request; absent where nothing is limited. */
  refusal?(): Limit | null
  /** Journals a fact before anything follows from it. */
  note(fact: Fact): void
}

/** The outcome of a look into the inbox. */
export type Received = Pick<IntakeOutput, 'received' | 'urgent'> & {
  /** The model has as much mail before it as it can read: more comes after its answer. */
  readonly isFull?: boolean
}

/** The dependencies of one agent's ports; built by a composition root, held by nobody else. */
export interface AgentDeps extends ModelAccess {
  readonly member: string
  readonly system: string
  /** Puts the context of the agent's place before its conversation; absent where it has none. */
  readonly prompt?: Pick<AgentPrompt, 'framed' | 'chars'> | undefined
  readonly conversation: Conversation
  readonly approvals: ApprovalPort
  /** The middleware of the run; absent where it has none. */
  readonly middleware?: ComposedMiddleware | null
  /** Null, or absent, where no hook is configured. */
  readonly hooks?: AgentHooks | null
  /** Words that the agent has to go on hearing whole: what it was asked for and has not answered. */
  pinned(message: Message): boolean
  /** The arrangements with others that still hold, in lines. */
  standing(): readonly string[]
  /** Puts a text aside, for looking it up. @returns where it is; null where nothing is kept */
  keep(text: string): string | null
  /** The work at hand in words; null when nobody said. */
  task(): string | null
  /** The messages of others that the present turn serves; a lone agent has none. */
  behind?(): readonly Behind[]
  readonly home: string
  readonly cwd: string
  /** The agent's files are not on this machine: what paths lead to is found out where they are. */
  readonly elsewhere?: true
  /** The PATH of its shell commands; absent where nobody knows it. */
  searchPath?(): string | undefined
  readonly now: () => number
  /** Values that tools keep from one call to the next. */
  readonly memory: Map<string, unknown>
  /** Resolves when those who read what happens are not too far behind: nothing more is begun before. */
  room(): Promise<void>
  /**
   * Takes the inbox into the conversation.
   * @param answered the agent has written its answer: mail of those who do not wait for it stays in the box
   */
  receive(answered?: boolean): Received
  /** An answer is owed, nothing was said that could be it, and nobody is waited for. */
  owes(): boolean
  /** Reads the commands that persons called; absent where nobody calls any. */
  commands?(signal: AbortSignal): Promise<void>
  /** Settles what persons chose for the agent, whatever it does now; absent where nobody chooses. */
  choices?(): Promise<void>
  /** Outstanding requests keep a parked lead waiting. */
  hold(): boolean
  turnTools(): TurnTools
  /** The advisor that the server may ask inside the next answer, if any. */
  offered?(): Pick<ModelRequest, 'advisor'>
  /** The shape that the next answer must have, if any. */
  shape?(): Pick<ModelRequest, 'output'>
  /** Whether the answer may stand. */
  objects?(): Promise<StopHooksOutput>
  /** Tells the instructions for files that the latest calls touched; absent where there are none. */
  instruct?(): void
  /** Looks for what is to be remembered; absent where nobody does. */
  readonly extractor?: Extractor | null
  /** The agent's calls, counted, and the results that still hold. */
  readonly book: CallBook
  /** Keeps what calls change; absent where nothing is kept on disk. */
  readonly changes?: ChangeKeeper
  policy(): Policy
  /** A person allowed this for the rest of the session. */
  grant(rule: string): void
  toolContext(callId: string, signal: AbortSignal): ToolContext
  readonly listened: () => boolean
  delta(delta: Delta): void
}
