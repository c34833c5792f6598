import {
  createActor,
  type AnyActorRef,
  SimulatedClock,
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { stateName } from './walk.ts'

/** A machine that really runs, on a clock that the test moves. */
export interface Run<M extends AnyStateMachine> {
  readonly clock: SimulatedClock
  readonly facts: readonly Fact[]
  /** Events that no state wanted. */
  readonly dropped: readonly string[]
  readonly errors: readonly unknown[]
  send(...events: readonly EventFromLogic<M>[]): void
  state(): string
  snapshot(): SnapshotFrom<M>
  /** Lets answers that are ready reach the machine. */
  settle(): Promise<void>
}

export function run<M extends AnyStateMachine>(machine: M, input: InputFrom<M>): Run<M> {
  const clock = new SimulatedClock()
  const facts: Fact[] = []
  const dropped: string[] = []
  const errors: unknown[] = []
  const actor = createActor(machine as AnyStateMachine, {
    input: input as unknown,
    clock,
    inspect(inspection) {
      if (inspection.type === '@xstate.actor') {
        const ref = inspection.actorRef as AnyActorRef
        ref.on('*', (fact: unknown) => facts.push(fact as Fact))
      } else if (inspection.type === '@xstate.microstep') {
        const { type } = inspection.event
        if (inspection._transitions.length === 0 && !type.startsWith('xstate.')) dropped.push(type)
      }
    },
  })
  actor.subscribe({ error: (error) => errors.push(error) })
  actor.start()
  return {
    clock,
    facts,
    dropped,
    errors,
    send: (...events) => events.forEach((event) => actor.send(event)),
    state: () => stateName(actor.getSnapshot()),
    snapshot: () => actor.getSnapshot() as SnapshotFrom<M>,
    async settle() {
      for (let round = 0; round < 20; round += 1) await Promise.resolve()
    },
  }
}

/** `member.spawned writer 1`: a fact as one line. */
export function factLine({ type, ...rest }: Fact): string {
  const texts = Object.values(rest).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return [type, ...texts].join(' ')
}
