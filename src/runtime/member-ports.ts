import { fromCallback, fromPromise, type EventObject } from 'xstate'
import { memberMachine } from '../../machines/member.ts'
import type { OpenOutput, ReplyInput, ReplyOutput, UnreadOutput } from '../protocol/port.ts'
import type { MailPriority } from '../protocol/envelope.ts'
import type { provideAgent } from './ports.ts'

/** What a member's life acts upon besides its agent. */
export interface MemberReach {
  /** The journal ended in the middle of work. */
  unanswered(): boolean
  unread(): number
  /** Calls back for every ring until the returned function is called. */
  watch(rang: (priority: MailPriority) => void): () => void
  reply(input: ReplyInput): ReplyOutput
  now(): number
}

/** The member machine with its inbox, its replies and its agent wired up. */
export function provideMember(reach: MemberReach, agent: ReturnType<typeof provideAgent>) {
  return memberMachine.provide({
    actors: {
      agent,
      open: fromPromise<OpenOutput>(async () => ({ unanswered: reach.unanswered() })),
      inbox: fromCallback<EventObject, undefined>(({ sendBack }) =>
        reach.watch((priority) => sendBack({ type: 'mail.rang', priority, at: reach.now() })),
      ),
      unread: fromPromise<UnreadOutput>(async () => ({ unread: reach.unread() })),
      reply: fromPromise<ReplyOutput, ReplyInput>(async ({ input }) => reach.reply(input)),
      close: fromPromise<void>(async () => undefined),
    },
  })
}
