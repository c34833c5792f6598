import type { RunMoment } from '../../../../projections/moment/run-moment.ts'
import type { Place } from '../state/place.ts'
import type { RunStore } from '../state/run-store.ts'

/** A view's look at a run. */
export interface RunLook {
  readonly store: RunStore
  readonly moment: RunMoment
  readonly place: Place
  /** The member that the view is about. */
  readonly member: string
  /** Milliseconds since the epoch: now, or those of the fact that is looked at. */
  readonly now: number
  readonly go: (place: Place) => void
}
