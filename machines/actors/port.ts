import { fromCallback, fromPromise, type EventObject, type NonReducibleUnknown } from 'xstate'

/**
 * A port is a named hole in a machine. The placeholder fails with its own name, so a composition
 * root that forgot one says which; `runtime/agent/agent-ports.ts` fills it through `machine.provide()`.
 */
export function port<Output, Input extends NonReducibleUnknown>(name: string) {
  return fromPromise<Output, Input>(() => Promise.reject(new Error(`port "${name}" was not provided`)))
}

/** A port that speaks without being asked: it sends events to its machine until it is left. */
export function source<Event extends EventObject, Input extends NonReducibleUnknown = undefined>(name: string) {
  return fromCallback<Event, Input>(() => {
    throw new Error(`port "${name}" was not provided`)
  })
}
