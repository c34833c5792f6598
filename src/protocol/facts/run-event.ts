import type { ContinueReason, TerminalReason } from '../conversation/agent-event.ts'
import type { Failure } from '../conversation/failure.ts'
import type { ToolResult, Usage } from '../conversation/message.ts'
import type { Entry } from './entry.ts'
import type { LiveEvent } from './live.ts'

/** The version of the envelope around each event. */
export const eventVersion = 1

/** The envelope of an event, the same for a lone agent, a member of a team and the team itself. */
export interface EventFrame {
  readonly v: typeof eventVersion
  /**
   * Rises from event to event of one stream. In the stream of a run each fact has the next number, and a live event has
   * the number of the fact before it; a lone agent numbers all events.
   */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `<team>-<ulid>`; of a lone agent the id of the first entry of the run in its journal. */
  readonly run: string
  /** The member that the event is about; `team` for the team itself. */
  readonly member: string
  /** The latest model call of the member; 0 before its first one. */
  readonly turn: number
  /** Starts between the coordinator, or the lone agent, and this member. */
  readonly depth: number
}

/** A line that a journal has for good. Every fact comes, in the order of its journal, and none is left out. */
export interface FactEvent {
  readonly type: 'fact'
  readonly fact: Entry
}

type OwnName<Event> = Event extends { readonly member: string } ? Omit<Event, 'member'> : never

/** An event of a run: a fact, or a piece of what is being written now, which a slow reader may miss. */
export type RunEvent = EventFrame & (FactEvent | OwnName<Exclude<LiveEvent, { type: 'entry' }>>)

/**
 * Events for the caller of `agent.run()`, in order, each in the envelope that events of a team have, too. Every fact of the
 * agent's journal comes as `fact`: retries, compactions, waits for a permission, the budget, an escalation; those that a caller
 * mostly wants follow once more in a form of their own. Deltas and progress are coalesced when the caller is slow, and left
 * out when it is far behind; for every other event the agent waits. An agent that works for this one speaks with a `depth`
 * above 0.
 */
export type AgentEvent = EventFrame & AgentNews

/** An event without its envelope. */
export type AgentNews =
  | FactEvent
  | { readonly type: 'request.start'; readonly model: string }
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'thinking.delta'; readonly text: string }
  /** The deltas of this turn so far are void: the model is asked again. */
  | { readonly type: 'text.reset' }
  | { readonly type: 'tool.dispatch'; readonly call_id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'tool.progress'
      readonly call_id: string
      readonly text: string
      /** Characters before this text that a slow reader did not get. */
      readonly left_out?: number
    }
  /** So many events were left out here: deltas for a reader far behind, or anything while nobody read. */
  | { readonly type: 'dropped'; readonly count: number }
  | { readonly type: 'tool.result'; readonly result: ToolResult }
  | { readonly type: 'turn.continued'; readonly reason: ContinueReason }
  | { readonly type: 'complete'; readonly reason: TerminalReason; readonly text: string; readonly usage: Usage }
  | { readonly type: 'error'; readonly failure: Failure }
