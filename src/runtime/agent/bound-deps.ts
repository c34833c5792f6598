import { fromPromise, type NonReducibleUnknown } from 'xstate'
import type { Message } from '../../protocol/conversation/message.ts'
import type { AskOutput } from '../../protocol/port.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'
import type { InFlight } from '../actors/in-flight.ts'
import { perSystem } from '../actors/per-system.ts'

/** One agent's dependencies, with the state that its ports keep between calls. */
export interface AgentSession {
  readonly deps: AgentDeps
  turn: TurnTools
  /** Real places of a permitted call's paths, by call, until it runs: nothing else is touched under them. */
  readonly realPaths: Map<string, ReadonlyMap<string, string>>
  /** The message up to which nobody has spoken since the last answer; the search goes on behind it. */
  quietTo: Message | undefined
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
