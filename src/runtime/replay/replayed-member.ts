import type { Actor, SnapshotFrom } from 'xstate'
import { interruptedText } from '../../../machines/agent/agent-steps.ts'
import type { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentContext } from '../../../machines/agent/agent-state.ts'
import type { memberMachine, MemberInput } from '../../../machines/member/member.ts'
import type { toolCallMachine } from '../../../machines/call/tool-call.ts'
import type { UserMessage } from '../../protocol/conversation/message.ts'
import { tell } from '../actors/spawn.ts'
import type { Tape } from './tape.ts'

/** A member that is replayed, the journal beside it, and the ways to speak to it. */
export interface ReplayedMember {
  readonly card: MemberInput
  readonly tape: Tape
  /** The last words of the life, where it came to its end. */
  readonly farewell: string | null
  /** Where the member is. */
  readonly place: () => unknown
  readonly prompts: () => readonly UserMessage[]
  readonly isLeaving: () => boolean
  /** The agent at work; null when none is. */
  readonly agent: () => AgentAtWork | null
  readonly call: (id: string) => SnapshotFrom<typeof toolCallMachine>['context'] | null
  ring(priority: 'normal' | 'interrupt'): void
  prompt(message: UserMessage): void
  wake(): void
  abort(): void
  /** @param reason the words of the life's end when left out */
  shutdown(returns: boolean, reason?: string): void
}

interface AgentAtWork extends AgentContext {
  readonly place: unknown
}

/** @param at the time that commands carry */
export function replayedMember(
  actor: Actor<typeof memberMachine>,
  { tape, farewell, at }: { readonly tape: Tape; readonly farewell: string | null; readonly at: number },
): ReplayedMember {
  const agentSnapshot = () => {
    const child = actor.getSnapshot().children['agent']
    const snapshot = child?.getSnapshot() as SnapshotFrom<typeof agentMachine> | undefined
    return snapshot?.status === 'active' ? snapshot : null
  }
  return {
    card: actor.getSnapshot().context.card,
    tape,
    farewell,
    place: () => actor.getSnapshot().value,
    prompts: () => actor.getSnapshot().context.prompts,
    isLeaving: () => actor.getSnapshot().context.farewell !== null,
    agent() {
      const snapshot = agentSnapshot()
      return snapshot === null ? null : { ...snapshot.context, place: snapshot.value }
    },
    call(id) {
      const children = Object.values(agentSnapshot()?.children ?? {})
      const contexts = children.map(
        (child) => (child?.getSnapshot() as SnapshotFrom<typeof toolCallMachine> | undefined)?.context,
      )
      return contexts.find((context) => context?.call?.id === id) ?? null
    },
    ring: (priority) => tell(actor, { type: 'mail.rang', priority, at }),
    prompt: (message) => tell(actor, { type: 'prompt', message, at }),
    wake: () => tell(actor, { type: 'wake', at }),
    abort: () => tell(actor, { type: 'abort', at }),
    shutdown: (returns, reason = farewell ?? 'leaving') => tell(actor, { type: 'shutdown', reason, returns, at }),
  }
}

/** The next act of the replay: it answers a question, or tells the member something. */
export type Move = () => void

/**
 * The work ends early: the member leaves, or only its work is called off.
 * @param reason the words in which a call was given up
 */
export function calledOff(member: ReplayedMember, reason = interruptedText): Move {
  if (reason !== interruptedText && reason !== member.farewell) return () => member.shutdown(false, reason)
  const { tape } = member
  let n = 0
  while (tape.next(n) !== undefined && tape.next(n)?.type !== 'agent.ended') n += 1
  n += 1
  while (tape.next(n)?.type === 'member.replied') n += 1
  const leaves = tape.next(n)?.type === 'member.drained'
  return leaves ? () => member.shutdown(false) : member.abort
}
