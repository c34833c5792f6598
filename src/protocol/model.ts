import type { AssistantMessage, Message } from './message.ts'
import type { ToolSpec } from './tool.ts'

/** One request. `messages` and `tools` keep their identity between turns so that providers can cache translations. */
export interface ModelRequest {
  /** The member's name inside its team. */
  readonly agent: string
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly max_tokens?: number
}

/** Deltas are for the screen and are lost without harm; the settled message is the truth. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'settled'; readonly message: AssistantMessage }

/**
 * A model never throws and always ends with one `settled` event; what went wrong is in
 * `message.stop` (`error`, `aborted`) and `message.failure`.
 */
export interface Model {
  /** `provider/model`, as the journal names it. */
  readonly name: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
