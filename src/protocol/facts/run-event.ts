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
