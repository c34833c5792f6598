import type { Recorded } from '../../../protocol/facts/entry.ts'

/** A person's view of a run while the run goes on; all of its output goes to one stream. */
export interface Progress {
  hear(recorded: Recorded): void
  /** A line that stays, such as "stopping…". */
  note(text: string): void
  /** Leaves the screen to somebody else until `resume`. */
  pause(): void
  resume(): void
  /** The last picture stays; the terminal is as it was. */
  close(): void
}
