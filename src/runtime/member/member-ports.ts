import { fromCallback, fromPromise, type AnyActorRef, type EventObject } from 'xstate'
import { memberMachine } from '../../../machines/member/member.ts'
import type { OpenOutput, ReplyInput, ReplyOutput, UnreadOutput } from '../../protocol/port.ts'
import type { MailPriority } from '../../protocol/mail/envelope.ts'
import { agentSessions } from '../agent/bound-deps.ts'
import { bindAgent, providedAgent, unbindAgent } from '../agent/agent-ports.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import type { InFlight } from '../actors/in-flight.ts'
import { perSystem } from '../actors/per-system.ts'

/** The ports of a member's life, besides those of its agent. */
export interface MemberPorts {
  /** Takes up the work of an earlier life. */
  open(): Promise<OpenOutput>
  /** Looks for work; fails when mail could not be taken in. */
  unread(): Promise<UnreadOutput>
  /** Calls back for every ring until the returned function is called. */
  watch(rang: (priority: MailPriority) => void): () => void
  reply(input: ReplyInput): Promise<ReplyOutput>
  now(): number
}

const portsBySystem = perSystem<MemberPorts>()

/**
 * Before the actor starts: gives it what its ports and its agent's ports act upon.
 * @returns what its agent's ports are doing
 */
export function bindMember(actor: AnyActorRef, ports: MemberPorts, deps: AgentDeps): InFlight {
  portsBySystem.bind(actor, ports)
  return bindAgent(actor, deps)
}

/** No port of this member, nor of its agent, does anything from now on. */
export function unbindMember(actor: AnyActorRef): void {
  portsBySystem.unbind(actor)
  unbindAgent(actor)
}

/** The member machine with its inbox, its replies and its agent wired up; `bindMember` says to what. */
export const providedMember = memberMachine.provide({
  actors: {
    agent: providedAgent,
    open: fromPromise<OpenOutput>(async ({ system }) => portsBySystem.of(system).open()),
    inbox: fromCallback<EventObject, undefined>(({ sendBack, system }) => {
      const { watch, now } = portsBySystem.of(system)
      return watch((priority) => sendBack({ type: 'mail.rang', priority, at: now() }))
    }),
    unread: fromPromise<UnreadOutput>(async ({ system }) => portsBySystem.of(system).unread()),
    reply: fromPromise<ReplyOutput, ReplyInput>(async ({ input, system }) => portsBySystem.of(system).reply(input)),
    // A model call that was called off is still stated: it was paid for.
    close: fromPromise<void>(
      async ({ system }) => void (await Promise.allSettled([agentSessions.of(system).modelCall])),
    ),
  },
})
