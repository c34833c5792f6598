import type { Millis } from '../../src/protocol/words/ids.ts'
import type { CoordinatorState } from '../../src/rules/team/coordinator-tools.ts'
import type { RequestBook } from './request-book.ts'

/** Where an earlier leader of the run left the coordinator. */
export interface EarlierBook {
  readonly state: CoordinatorState
  readonly book: RequestBook
  readonly round: number
  /** When the current round ends at the latest. */
  readonly deadline: Millis
  readonly lost: readonly string[]
  readonly news: boolean
  /** When it is taken up. */
  readonly at: Millis
}
