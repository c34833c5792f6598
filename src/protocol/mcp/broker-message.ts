import type { McpAnswer, McpAsk, McpListing, McpQuestion, McpReply, McpState } from './listing.ts'
import type { McpServerSpec } from './server-spec.ts'

/**
 * The words between a run's broker, its leader and its members: one JSON document per line. Both ends come from one
 * release, and nobody else has the credential, so the shapes are believed.
 */

/** A member, and what it may see. */
export interface BrokerMember {
  readonly name: string
  /** The word that lets it in. */
  readonly credential: string
  readonly servers: readonly string[]
  /** Where it works. Servers are shared only by members for whom all of this is the same. */
  readonly cwd: string
  /** Directories that its servers may work in, absolute. */
  readonly roots: readonly string[]
  /** Variables of its servers, beside those of all programs. */
  readonly env: Readonly<Record<string, string>>
}

export interface BrokerServer {
  readonly name: string
  /** The entry with its variables filled in. */
  readonly spec: McpServerSpec
  /** Why it cannot be started at all, in words for people. */
  readonly fault?: string
  /** Under which its latest listing is kept. */
  readonly seen: string
}

/** The first line that a broker reads. */
export interface BrokerOrders {
  readonly socket: string
  readonly home: string
  /** For the programs it starts: without credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly servers: readonly BrokerServer[]
  readonly members: readonly BrokerMember[]
  /** Carried by every server in its environment, so that those of a killed broker are found. */
  readonly mark: string
  /** How many are connected at the same time, by kind. */
  readonly batches: { readonly local: number; readonly remote: number }
}

/** A later line: what has become of the entries of its servers since. */
export interface BrokerChange {
  readonly servers: readonly BrokerServer[]
}

/** A line of the broker for its leader. */
export type BrokerNews =
  | { readonly type: 'ready' }
  | {
      readonly type: 'changed'
      readonly server: string
      readonly state: McpState
      readonly tools: number
      readonly reason?: string | undefined
    }
  | { readonly type: 'warning'; readonly message: string }

/** One server as a member sees it. */
export interface ServerView {
  readonly name: string
  readonly state: McpState
  readonly reason: string
  /** Present while it is connected. */
  readonly listing: McpListing | null
  /** Under which its latest listing is kept: another entry is another server. */
  readonly seen: string
  /** A person believes what it says of its tools. */
  readonly believed: boolean
}

export type MemberLine =
  | { readonly type: 'hello'; readonly member: string; readonly credential: string }
  | { readonly type: 'ask'; readonly id: number; readonly server: string; readonly asked: McpAsk }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'reply'; readonly id: number; readonly reply: McpReply }

export type BrokerLine =
  | { readonly type: 'view'; readonly servers: readonly ServerView[] }
  | { readonly type: 'progress'; readonly id: number; readonly text: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: McpAnswer }
  /** `ask`: the member's own call that it belongs to. */
  | { readonly type: 'question'; readonly id: number; readonly ask: number; readonly question: McpQuestion }
