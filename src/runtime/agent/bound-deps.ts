import { fromPromise, type NonReducibleUnknown } from 'xstate'
import type { Message } from '../../protocol/conversation/message.ts'
import type { AskOutput } from '../../protocol/port.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'
import type { InFlight } from '../actors/in-flight.ts'
import { perSystem } from '../actors/per-system.ts'

/** What one agent acts upon, and the tools of its current turn. */
export interface AgentSession {
  readonly deps: AgentDeps
  turn: TurnTools
  /** Where the paths of a permitted call led, until it runs: nothing else is touched under them. */
  readonly realPaths: Map<string, ReadonlyMap<string, string>>
  /** Since the last answer nobody spoke up to this message: with each of many results all before it were read again. */
  quietTo: Message | undefined
  readonly inFlight: InFlight
  /** The latest question to its model, which may have been called off and not be settled yet. */
  modelCall: Promise<AskOutput> | null
}

/** The worlds of all agents in this process. */
export const agentSessions = perSystem<AgentSession>()

/** A port that acts in the world of its agent; its signal also aborts when the agent is cut off. */
export function attended<Output, Input extends NonReducibleUnknown>(
  act: (session: AgentSession, input: Input, signal: AbortSignal) => Promise<Output>,
) {
  return fromPromise<Output, Input>(({ input, system, self, signal }) => {
    const session = agentSessions.of(system)
    return session.inFlight.attend(self, act(session, input, signal))
  })
}
