import type { EventFrame, FactEvent } from '../../../protocol/facts/run-event.ts'
import { jsonText } from '../../text/plain-text.ts'

/** A fact as a line of JSON, in the envelope of the stream of events; `owner` is its member, and `entry` the fact. */
export function factLine({ fact: entry, ...frame }: EventFrame & FactEvent): string {
  return `${jsonText({ ...frame, owner: frame.member, entry })}\n`
}
