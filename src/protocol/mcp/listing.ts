/** The words of a server about itself, kept as plain data: they travel between processes and lie on disk. */

export interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** In its own words: it changes nothing. */
  readonly readOnly: boolean
  /** In its own words: what it changes cannot be undone. */
  readonly destructive?: boolean
  /** The tool cannot be called without a task. */
  readonly task?: boolean
  /** Stands for its description and schemas: another mark is another tool, of the same name. */
  readonly mark: string
}

export interface McpPrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

export interface McpListing {
  readonly instructions: string
  readonly tools: readonly McpTool[]
  readonly prompts: readonly McpPrompt[]
  /** The server has resources that can be read by their address. */
  readonly resources: boolean
  /** Unusable parts of its answers, in words for people. */
  readonly warnings: readonly string[]
}

export const mcpStates = ['connected', 'failed', 'needs-auth', 'pending', 'disabled'] as const
export type McpState = (typeof mcpStates)[number]

/** A part of a result, as servers send it. */
export type McpContent = Readonly<Record<string, unknown>>

export interface McpResult {
  readonly content: readonly McpContent[]
  readonly structured?: unknown
  readonly isError: boolean
}

/** Why a call has no result. `unknown`: nobody knows what it had done by then. */
export interface McpTrouble {
  readonly trouble: string
  readonly transient: boolean
}

export type McpAnswer = McpResult | McpTrouble

/** The kinds of things that a member may ask of a server. */
export type McpAsk =
  /** `mark`: of the tool as it was offered; a tool that has another one by now is not called. */
  (
    | { readonly kind: 'tool'; readonly tool: string; readonly input: unknown; readonly mark?: string }
    | { readonly kind: 'resource'; readonly uri: string }
    | { readonly kind: 'resources' }
    | { readonly kind: 'prompt'; readonly prompt: string; readonly input: Readonly<Record<string, string>> }
  ) & {
    /** The span that the server's own spans belong under, as W3C Trace Context writes it; absent in a run without traces. */
    readonly traceparent?: string | undefined
  }

/** A question of a server to the member whose call is in flight. */
export interface McpQuestion {
  readonly method: 'sampling' | 'elicitation'
  readonly params: Readonly<Record<string, unknown>>
}

export type McpReply = { readonly result: Readonly<Record<string, unknown>> } | { readonly refusal: string }
