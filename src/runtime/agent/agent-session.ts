import { fromPromise, type NonReducibleUnknown, type AnyActorRef } from 'xstate'
import type { Message } from '../../protocol/conversation/message.ts'
import type { AskOutput } from '../../protocol/port.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'
import { perSystem } from '../actors/spawn.ts'

/** One agent's dependencies, with the state that its ports keep between calls. */
export interface AgentSession {
  readonly deps: AgentDeps
  turn: TurnTools
  /** Real places of a permitted call's paths, by call, until it runs: nothing else is touched under them. */
  readonly realPaths: Map<string, ReadonlyMap<string, string>>
  /** The message up to which nobody has spoken since the last answer; the search goes on behind it. */
  quietTo: Message | undefined
  /** Dollars of each answer so far; `runsAway` once they have grown for too long. */
  readonly costs: number[]
  runsAway: string | null
  /** Codes of the warnings about its work that hold now. */
  readonly told: Set<string>
  readonly inFlight: InFlight
  /** The latest model call, which may have been called off and not be settled yet. */
  modelCall: Promise<AskOutput> | null
}

/** The sessions of all agents in this process. */
export const agentSessions = perSystem<AgentSession>()

/** A port that acts on the session of its agent; its signal also aborts when the agent is cut off. */
export function attended<Output, Input extends NonReducibleUnknown>(
  act: (session: AgentSession, input: Input, signal: AbortSignal) => Promise<Output>,
) {
  return fromPromise<Output, Input>(({ input, system, self, signal }) => {
    const session = agentSessions.of(system)
    return session.inFlight.attend(self, act(session, input, signal))
  })
}

/** The running work of one root actor's ports. */
export interface InFlight {
  /** Waits for what a port does, which is stopped when everything of this root is cut off. */
  attend<Output>(port: AnyActorRef, doing: Promise<Output>): Promise<Output>
  /** Stops what is being done. */
  cutOff(): void
  /** Resolves when what is being done now is over; null when nothing is. */
  over(): Promise<unknown> | null
}

/**
 * XState stops the work of a state that is left, and of an actor that is stopped. A root that failed stops nobody: what
 * its children do is ended from here. Nothing is left behind by work that is over, so a long life costs no more.
 * @example await inFlight.attend(self, fetch(url, { signal }))
 */
export function openInFlight(): InFlight {
  const going = new Map<AnyActorRef, Promise<unknown>>()
  return {
    async attend(port, doing) {
      going.set(port, doing)
      try {
        return await doing
      } finally {
        going.delete(port)
      }
    },
    cutOff() {
      // The event with which XState itself stops a child: only its parent may ask for that by name.
      for (const port of going.keys()) port.send({ type: 'xstate.stop' })
    },
    over: () => (going.size === 0 ? null : Promise.allSettled(going.values())),
  }
}
