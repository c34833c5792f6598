import type { Recorded } from '../../../protocol/facts/entry.ts'

/** A person's view of a run while the run goes on; all of its output goes to one stream. */
export interface Progress {
  hear(recorded: Recorded): void
  /** A line that stays, such as "stopping…". */
  note(text: string): void
  /** Prints a text of several lines that stays. */
  print(text: string): void
  /** Keeps these lines below everything else, for a dialog; null takes them away. */
  foot(lines: readonly string[] | null): void
  /** The last picture stays; the terminal is as it was. */
  close(): void
}
