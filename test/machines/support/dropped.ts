import type { AnyEventObject, AnyStateMachine } from 'xstate'
import type { Walk } from './walk.ts'

/** Whether no state wants the event: XState would drop it in silence. A handler that does nothing is a wish too. */
export function isDropped<M extends AnyStateMachine>(walk: Walk<M>, event: AnyEventObject): boolean {
  const machine = walk.machine as unknown as {
    getTransitionData(snapshot: unknown, event: AnyEventObject): readonly unknown[]
  }
  return machine.getTransitionData(walk.snapshot, event).length === 0
}
