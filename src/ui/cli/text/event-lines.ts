import type { FrameFold } from '../../../projections/fold/event-frame.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'
import type { EventFrame } from '../../../protocol/facts/run-event.ts'
import { jsonText } from '../../text/plain-text.ts'

/** The events of a run as lines of JSON, each in the envelope of the stream of events. */
export interface EventLines {
  /** The line of the next fact. */
  fact(recorded: Recorded): string
  /** The line of something that is being written; it has the number of the fact before it. */
  live(event: Pick<EventFrame, 'member' | 'at'>, what: object): string
}

/** @example eventLines(framesAfter(dir, [])).fact(recorded) */
export function eventLines(frames: FrameFold): EventLines {
  let seq = 0
  return {
    fact(recorded) {
      const { owner, entry } = recorded
      seq += 1
      frames.apply(recorded)
      return `${jsonText({ ...frames.frame(owner, seq, entry.at), type: 'fact', owner, entry })}\n`
    },
    live: ({ member, at }, what) => `${jsonText({ ...frames.frame(member, seq, at), ...what })}\n`,
  }
}
