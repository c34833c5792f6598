import { enqueueActions, type EventObject, type MachineContext, type ParameterizedObject } from 'xstate'

/*
 * Actions that are worked out when they are due, as `enqueueActions` does it. That makes its ten verbs anew each time it runs,
 * several times in a turn of each agent: a twentieth of the CPU of a team. Here a function answers with the list itself,
 * made of XState's own actions. Where children are started `enqueueActions` stays: it knows their names and inputs.
 * Owns the one thing of XState that is known here and is not in its types: an action is asked to `resolve`, and answers with
 * the snapshot, its parameters and the actions to take in its place. A test holds both ways against each other.
 */

type Params = ParameterizedObject['params'] | undefined
type Action = (...args: never[]) => void

interface Told<Context extends MachineContext, Event extends EventObject> {
  readonly context: Context
  readonly event: Event
}

/**
 * An action that stands for a list of others.
 * @param list says what is done, in this order; it sees the context as it was before
 * @example actionList(({ context }, fact) => [assign({ told: context.told + 1 }), emit(fact)])
 */
export function actionList<
  Context extends MachineContext,
  Event extends EventObject,
  P extends Params = undefined,
  Emitted extends EventObject = EventObject,
>(list: (told: Told<Context, Event>, params: P) => readonly Action[]) {
  const action = enqueueActions<Context, Event, P, Event, never, never, never, never, Emitted>(() => undefined)
  const resolve = (_: unknown, snapshot: unknown, ...[told, params]: [Told<Context, Event>, P]) =>
    [snapshot, undefined, list(told, params)] as const
  Object.assign(action, { resolve })
  return action
}
