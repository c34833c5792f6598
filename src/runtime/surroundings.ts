import type { Usage } from '../protocol/message.ts'
import type { Model } from '../protocol/model.ts'
import type { Approver } from '../protocol/port.ts'
import type { Policy } from '../protocol/permission.ts'
import type { Tool, ToolContext, ToolSpec } from '../protocol/tool.ts'
import type { Conversation } from '../rules/context-window.ts'

/** Live text for the screen: lossy, never journaled, past the machines. */
export interface Delta {
  readonly member: string
  readonly type: 'text' | 'thinking' | 'progress'
  readonly text: string
  readonly call_id?: string
}

/** The tools of one turn. They do not change before the next intake (A17). */
export interface TurnTools {
  readonly tools: ReadonlyMap<string, Tool>
  readonly specs: readonly ToolSpec[]
  /** Why a tool of the member is not among them now. */
  absence(name: string): string | null
}

/** Everything one agent's ports act upon; built by a composition root, held by nobody else. */
export interface Surroundings {
  readonly member: string
  readonly model: Model
  readonly system: string
  readonly conversation: Conversation
  readonly approver: Approver
  readonly home: string
  readonly cwd: string
  readonly now: () => number
  /** What tools remember between calls. */
  readonly memory: Map<string, unknown>
  /** Takes what lies in the inbox into the conversation; returns how many messages. */
  receive(): number
  /** Outstanding requests keep a parked lead waiting. */
  hold(): boolean
  turnTools(): TurnTools
  policy(): Policy
  /** A person allowed this for the rest of the session. */
  grant(rule: string): void
  toolContext(callId: string, signal: AbortSignal): ToolContext
  /** Dollars, or null when nobody knows the price. */
  price(usage: Usage): Promise<number | null>
  readonly listened: () => boolean
  delta(delta: Delta): void
}
