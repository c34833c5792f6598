import type { AssistantMessage, Message } from '../conversation/message.ts'
import type { ToolSpec } from '../tools/tool.ts'

/**
 * One request. `messages` and `tools` keep their identity between turns so that providers can cache translations; an array of
 * messages that was given once only ever grows.
 */
export interface ModelRequest {
  /** The member's name inside its team. */
  readonly agent: string
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly max_tokens?: number
  /** How hard the model should think; one that cannot be told so answers without. */
  readonly effort?: Effort
  /** Tokens it may think for before it answers; 0 asks it not to. Vendors that know only efforts get the nearest. */
  readonly thinking_budget?: number
  /** The part of the thinking that the answer shows, where a vendor can be told (default: as the vendor likes). */
  readonly thinking_display?: ThinkingDisplay
  /** The answer shall be one JSON value of this shape, as its text. */
  readonly output?: OutputShape
  /** Earlier answers of the agent that `messages` does not hold: they were left out to make room. */
  readonly left_out?: number
  /** Tokens that the request holds, as far as anybody knows. */
  readonly held_tokens?: number
  /** The budget leaves this answer and no other. */
  readonly last?: boolean
  /** Left to servers that offer it; others pass it over. */
  readonly advisor?: OfferedAdvisor
  /** True for an answer that no person waits for: the call is given up sooner when the server is busy. */
  readonly background?: boolean
  /** Further wishes, passed on to vendors that know them. */
  readonly sampling?: Sampling
  /** How long vendors that are told keep what was asked; others decide themselves (default: 5m). */
  readonly cache?: CacheTimes
  /** Another model stands in for this one: a server that says nothing is not waited for. */
  readonly hurried?: boolean
  /** Over a connection of its own: the kept one was reset. */
  readonly fresh_connection?: boolean
}

/** Wishes for an answer that vendors spell alike. */
export interface Sampling {
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly service_tier?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly betas?: readonly string[] | undefined
  readonly server_tools?: readonly ServerTool[] | undefined
}

/** Tools that a vendor's own server runs while its model answers. */
export const serverTools = ['web_search', 'code_execution'] as const
export type ServerTool = (typeof serverTools)[number]

export const cacheTtls = ['5m', '1h'] as const
export type CacheTtl = (typeof cacheTtls)[number]

/** Tools and the system prompt may be kept longer than the conversation, never shorter. */
export interface CacheTimes {
  readonly head: CacheTtl
  readonly talk: CacheTtl
}

/** Another model that the server itself may ask while it answers; named as the server names it. */
export interface OfferedAdvisor {
  readonly model: string
  readonly max_uses: number
  readonly max_tokens: number
}

export const efforts = ['low', 'medium', 'high', 'max'] as const
export type Effort = (typeof efforts)[number]

/** The part of its thinking that a model shows: a summary, as its vendor writes it or of one length, or nothing. */
export const thinkingDisplays = ['summarized', 'concise', 'detailed', 'omitted'] as const
export type ThinkingDisplay = (typeof thinkingDisplays)[number]

/** Opens a model by what stands behind the slash of its name: for the provider `acme` the model `acme/large` is `large`. */
export type Provider = (model: string) => Model | Promise<Model>
/** Providers by name. */
export type Providers = Readonly<Record<string, Provider>>

/** A shape that an answer must have, as JSON Schema of an object. */
export interface OutputShape {
  /** Letters, digits, `_` and `-`. */
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  /** The model may use its tools before it answers: nothing is forced that would keep it from them. */
  readonly after_tools?: boolean
}

/** A piece of an answer for the screen, lost without harm: the settled message is the truth. */
export interface AnswerDelta {
  readonly type: 'text' | 'thinking'
  readonly text: string
}

/** Deltas, and at the end the whole answer. */
export type ModelEvent = AnswerDelta | { readonly type: 'settled'; readonly message: AssistantMessage }

/** Sizes of a model as it runs at its server; absent is what the server does not say. */
export interface ModelCapacity {
  /** Tokens of a conversation, answer included. */
  readonly window?: number
  /** Requests that the server answers at the same time. */
  readonly slots?: number
  /** Tokens that the model could have, if its server gave it so many. */
  readonly trained?: number
  /** The way to give the model a larger window. */
  readonly widen?: string
}

/**
 * A model never throws and always ends with one `settled` event; what went wrong is in
 * `message.stop` (`error`, `aborted`) and `message.failure`.
 */
export interface Model {
  /** `provider/model`, as the journal names it. */
  readonly name: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** The same request always gets the same answer: after a failure it is of no use to ask again. */
  readonly deterministic?: boolean
  /** Says whether its server can ask this model, by its full name, for advice in the middle of an answer. */
  advises?(model: string): boolean
  /** Asks its server what the model can do as it runs there; null when the server does not say, or nobody waits. */
  capacity?(signal: AbortSignal): Promise<ModelCapacity | null>
  /** Asks its server how many tokens a request holds, without an answer to it; null when the server does not say in time. */
  count?(request: ModelRequest, signal: AbortSignal): Promise<number | null>
  /** Looks its credential up again; true when it is another one than before. */
  renew?(): boolean | Promise<boolean>
}
