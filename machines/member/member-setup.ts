import {
  assign,
  emit,
  enqueueActions,
  setup,
  type AnyActorRef,
  type EventObject,
  type NonReducibleUnknown,
} from 'xstate'
import type { MailPriority } from '../../src/protocol/mail/envelope.ts'
import type { FactOf, IdleReason } from '../../src/protocol/facts/fact.ts'
import type { AgentId, Millis } from '../../src/protocol/words/ids.ts'
import type { UserMessage } from '../../src/protocol/conversation/message.ts'
import type { AgentOutput, OpenOutput, ReplyInput, ReplyOutput, UnreadOutput } from '../../src/protocol/port.ts'
import type { MemberState } from '../../src/protocol/team/run.ts'
import type { AgentCommand, AgentInput } from '../agent/agent-state.ts'
import { agentMachine } from '../agent/agent.ts'
import { port, source } from '../actors/port.ts'

/** The identity and limits of a member; frozen for its whole life. */
export interface MemberInput extends Pick<AgentInput, 'model' | 'limits' | 'hooked' | 'verify' | 'escalate'> {
  readonly id: AgentId
  readonly name: string
  readonly incarnation: string
  readonly executor: string
  readonly pid: number
  /** Hash of the policy that it starts under. */
  readonly policy?: string
  /** Fingerprint of the prompt that it starts with. */
  readonly prompt?: FactOf<'member.started'>['prompt']
}

export interface MailRang {
  readonly type: 'mail.rang'
  readonly priority: MailPriority
  readonly at: Millis
}

export type MemberEvent =
  | MailRang
  /** A person gives work. */
  | { readonly type: 'prompt'; readonly message: UserMessage; readonly at: Millis }
  /** A person speaks into the work at hand. */
  | { readonly type: 'steer'; readonly message: UserMessage; readonly at: Millis }
  /** An event that a waiting member waits for has happened. */
  | { readonly type: 'wake'; readonly at: Millis }
  /** The work at hand ends; the member stays. */
  | { readonly type: 'abort'; readonly at: Millis }
  /** The work at hand ends, what is owed is sent, and the member leaves. */
  | {
      readonly type: 'shutdown'
      readonly reason: string
      /** A later life of it takes up what it waits for. */
      readonly returns?: boolean
      readonly at: Millis
    }

export interface MemberContext {
  readonly card: MemberInput
  /** The prompt that started the work at hand; `null` when mail started it. */
  readonly prompt: UserMessage | null
  /** Prompts of people that no agent has taken in yet, oldest first. */
  readonly prompts: readonly UserMessage[]
  /** The model that had that work, where it was not the member's own any more. */
  readonly escalated: string | undefined
  /** Mail rang since the inbox was last looked at. */
  readonly rang: boolean
  /** The reason why the resting member waits. */
  readonly waits: IdleReason
  /** The members whose word it needs. */
  readonly waitingFor: readonly string[]
  /** Why the member is to leave; `null` while it may stay. */
  readonly farewell: string | null
  /** The replies under way are those of a member that leaves: what waits is answered, too. */
  readonly repliesLeaving: boolean
  /** How its latest work ended. */
  readonly outcome: AgentOutput
}

/** The outcome before any work. */
export const noWork: AgentOutput = { reason: 'completed', turn: 0 }

/** An agent that ended a moment ago hears nothing any more. */
function hears(self: AnyActorRef): boolean {
  const { children } = self.getSnapshot() as { readonly children?: Readonly<Record<string, AnyActorRef | undefined>> }
  const agent = children?.['agent']?.getSnapshot() as { readonly status: string } | undefined
  return agent?.status === 'active'
}

/** The input of the agent for the next piece of work. */
export function agentInput({ card, prompt, escalated }: MemberContext): AgentInput {
  const { name, model, limits, hooked, verify, escalate } = card
  return {
    agent: name,
    model,
    limits,
    hooked,
    ...(verify === undefined ? {} : { verify }),
    ...(escalate === undefined ? {} : { escalate }),
    ...(escalated === undefined ? {} : { escalated }),
    ...(prompt === null ? {} : { prompt }),
  }
}

const refusal = (farewell: string): FactOf<'warning.raised'> => ({
  type: 'warning.raised',
  code: 'prompt_refused',
  message: `what was said to a leaving member is not heard (${farewell})`,
})

/** The words of the member machine: its ports, questions and acts. `member.ts` says when each is used. */
export const memberSetup = setup({
  types: {
    context: {} as MemberContext,
    events: {} as MemberEvent,
    input: {} as MemberInput,
    tags: {} as MemberState,
    emitted: {} as FactOf<
      | 'member.started'
      | 'member.woke'
      | 'member.idled'
      | 'member.replied'
      | 'member.drained'
      | 'member.gone'
      | 'warning.raised'
    >,
  },
  actors: {
    open: port<OpenOutput, NonReducibleUnknown>('open'),
    inbox: source<EventObject>('inbox'),
    unread: port<UnreadOutput, NonReducibleUnknown>('unread'),
    agent: agentMachine,
    reply: port<ReplyOutput, ReplyInput>('reply'),
    close: port<void, NonReducibleUnknown>('close'),
  },
  guards: {
    isLeaving: ({ context }) => context.farewell !== null,
    /** A member that was told to leave while it answered has not answered what waits. */
    leavesUnanswered: ({ context }) => context.farewell !== null && !context.repliesLeaving,
    hasRung: ({ context }) => context.rang,
    /** The member rests in the middle of a piece of work that will not go on. */
    leavesWork: ({ context, event }) =>
      context.waits === 'waiting_for_answer' && event.type === 'shutdown' && event.returns !== true,
    hasWork: ({ context }, { unread }: Pick<UnreadOutput, 'unread'>) => unread > 0 || context.prompts.length > 0,
    isUrgent: ({ event }) => event.type === 'mail.rang' && event.priority === 'interrupt',
  },
  actions: {
    noteOpening: assign((_, { escalated }: OpenOutput) => ({ escalated })),
    noteRing: assign({ rang: true }),
    forgetRing: assign({ rang: false }),
    noteFarewell: assign({
      farewell: ({ context, event }) => context.farewell ?? (event.type === 'shutdown' ? event.reason : null),
    }),
    keepPrompt: assign({
      prompts: ({ context }, { message }: { message: UserMessage }) => [...context.prompts, message],
    }),
    takePrompt: assign(({ context }) => ({
      prompt: context.prompts[0] ?? null,
      prompts: context.prompts.slice(1),
    })),
    noteReplies: assign({ repliesLeaving: ({ context }) => context.farewell !== null }),
    keepOutcome: assign((_, outcome: AgentOutput) => ({ outcome, escalated: undefined })),
    /** Tells the agent; a word of a person that comes too late for it waits for the next piece of work. */
    tell: enqueueActions(({ context, self, enqueue }, command: AgentCommand) => {
      if (hears(self)) enqueue.sendTo('agent', command)
      else if ('message' in command) enqueue.assign({ prompts: [...context.prompts, command.message] })
    }),
    refuse: emit(({ context }) => refusal(context.farewell ?? '')),
    refuseKept: enqueueActions(({ context, enqueue }) => {
      context.prompts.forEach(() => enqueue.emit(refusal(context.farewell ?? '')))
    }),
    stateStart: emit(({ context: { card } }) => ({
      type: 'member.started' as const,
      incarnation: card.incarnation,
      executor: card.executor,
      pid: card.pid,
      ...(card.policy === undefined ? {} : { policy: card.policy }),
      ...(card.prompt === undefined ? {} : { prompt: card.prompt }),
    })),
    stateWake: emit({ type: 'member.woke' }),
    noteWait: assign({
      waits: (_, { waits = 'nothing_to_do' }: UnreadOutput) => waits,
      waitingFor: (_, { waiting_for = [] }: UnreadOutput) => waiting_for,
    }),
    stateIdle: emit(({ context: { waits: reason, waitingFor } }) => ({
      type: 'member.idled' as const,
      reason,
      ...(waitingFor.length > 0 ? { waiting_for: [...waitingFor] } : {}),
    })),
    stateReplies: enqueueActions(({ enqueue }, { replied }: ReplyOutput) => {
      for (const { request, mail_id } of replied) enqueue.emit({ type: 'member.replied', request, mail_id })
    }),
    stateDrained: emit({ type: 'member.drained' }),
    stateGone: emit(({ context }) => ({ type: 'member.gone' as const, reason: context.farewell ?? '' })),
  },
})
