import type { RowKey } from './ui.ts'

/** One row of a list. */
export interface Row extends RowKey {
  /** The text that a filter looks at. */
  words(): string
  /** Exactly so wide. */
  line(width: number): string
  /** All that is known of it; empty where a pane says more. */
  whole(): string
}
