import {
  initialTransition,
  transition,
  type AnyEventObject,
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate'
import type { Fact } from '../../../src/protocol/facts/fact.ts'

/** What one pure step asks the outside to do, in order. */
export type Effect =
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'start'; readonly src: string; readonly id: string; readonly input: unknown }
  | { readonly kind: 'stop'; readonly id: string }
  | { readonly kind: 'send'; readonly to: string; readonly event: AnyEventObject }
  | { readonly kind: 'alarm'; readonly event: AnyEventObject; readonly delay: number }

/** A machine on its way: where it is, how it got there, what it asked for. Nothing is ever executed. */
export interface Walk<M extends AnyStateMachine> {
  readonly machine: M
  readonly snapshot: SnapshotFrom<M>
  readonly path: readonly string[]
  readonly effects: readonly Effect[]
}

export function begin<M extends AnyStateMachine>(machine: M, input: InputFrom<M>): Walk<M> {
  const first = initialTransition as (logic: M, input: InputFrom<M>) => readonly [SnapshotFrom<M>, readonly unknown[]]
  const [snapshot, actions] = first(machine, input)
  return { machine, snapshot, path: [], effects: actions.flatMap(effectOf) }
}

/** `take(walk, { type: 'wake', at: 1 })`; the name is for the report of a failing path. */
export function take<M extends AnyStateMachine>(walk: Walk<M>, event: AnyEventObject, name = event.type): Walk<M> {
  const [snapshot, actions] = transition(walk.machine, walk.snapshot, event as EventFromLogic<M>)
  return {
    machine: walk.machine,
    snapshot,
    path: [...walk.path, name],
    effects: [...walk.effects, ...actions.flatMap(effectOf)],
  }
}

/** Takes events one after another: `takeAll(walk, [{ type: 'wake', at: 1 }, ...])`. */
export function takeAll<M extends AnyStateMachine>(walk: Walk<M>, events: readonly AnyEventObject[]): Walk<M> {
  return events.reduce<Walk<M>>((so, event) => take(so, event), walk)
}

export function doneEvent(actorId: string, output: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${actorId}`, actorId, output }
}

export function errorEvent(actorId: string, text: string): AnyEventObject {
  return { type: `xstate.error.actor.${actorId}`, actorId, error: new Error(text) }
}

/** The one child of this source that is alive, by its id. */
export function childOf<M extends AnyStateMachine>(walk: Walk<M>, src: string): string {
  const alive = childrenOf(walk.snapshot).filter((child) => child.src === src)
  const [only] = alive
  if (only === undefined || alive.length > 1) {
    throw new Error(`expected one "${src}", found ${alive.length} in ${stateName(walk.snapshot)}`)
  }
  return only.id
}

/** The port answers: `answer(walk, 'intake', { received: 0, hold: false, answerable: true })`. */
export function answer<M extends AnyStateMachine>(walk: Walk<M>, src: string, output?: unknown): Walk<M> {
  return take(walk, doneEvent(childOf(walk, src), output), `${src} answers`)
}

export function reject<M extends AnyStateMachine>(walk: Walk<M>, src: string, text: string): Walk<M> {
  return take(walk, errorEvent(childOf(walk, src), text), `${src} rejects`)
}

/** Children of a snapshot that nobody has stopped. */
export function childrenOf(snapshot: unknown): readonly { readonly id: string; readonly src: string }[] {
  const { children } = snapshot as { children: Record<string, { id: string; src: string } | undefined> }
  return Object.values(children).filter((child) => child !== undefined)
}

/** `thinking.asking`, `acting.running`, `done`. */
export function stateName(snapshot: unknown): string {
  const name = (value: unknown): string =>
    typeof value === 'string'
      ? value
      : Object.entries(value as Record<string, unknown>)
          .map(([key, child]) => `${key}.${name(child)}`)
          .join('|')
  return name((snapshot as { value: unknown }).value)
}

export function factsOf(effects: readonly Effect[]): readonly Fact[] {
  return effects.flatMap((effect) => (effect.kind === 'fact' ? [effect.fact] : []))
}

/** The effects that one step added. */
export function added<M extends AnyStateMachine>(before: Walk<M>, after: Walk<M>): readonly Effect[] {
  return after.effects.slice(before.effects.length)
}

function effectOf(action: unknown): readonly Effect[] {
  const { type, params = {} } = action as { type: string; params?: Record<string, unknown> & { id?: string } }
  switch (type) {
    case 'xstate.emit':
      return [{ kind: 'fact', fact: params['event'] as Fact }]
    case 'xstate.spawnChild':
      return [{ kind: 'start', src: String(params['src']), id: String(params['id']), input: params['input'] }]
    case 'xstate.stopChild':
      // A machine that breaks stops all its children at once, and names none.
      return params['id'] === undefined ? [] : [{ kind: 'stop', id: params['id'] }]
    case 'xstate.sendTo':
      return [{ kind: 'send', to: idOf(params['to']), event: params['event'] as AnyEventObject }]
    case 'xstate.raise':
      return params['delay'] === undefined
        ? []
        : [{ kind: 'alarm', event: params['event'] as AnyEventObject, delay: Number(params['delay']) }]
    case 'xstate.cancel':
      // The clock of a state that was left.
      return []
    default:
      throw new Error(`an effect this walk does not know: ${type}`)
  }
}

function idOf(target: unknown): string {
  return typeof target === 'string' ? target : (target as { id: string }).id
}
