import { assign, fromCallback, fromPromise, setup } from 'xstate'
import type { AgentCommand, AgentInput } from '../../../machines/agent/agent-state.ts'
import type { agentMachine } from '../../../machines/agent/agent.ts'
import { memberMachine, type MemberEvent, type MemberInput } from '../../../machines/member/member.ts'
import type { MailRang } from '../../../machines/member/member-setup.ts'
import { userMessage, type UserMessage } from '../../../src/protocol/conversation/message.ts'
import type { AgentOutput, OpenOutput, ReplyInput, ReplyOutput } from '../../../src/protocol/port.ts'
import { factLine, run } from './run.ts'

export const inputOf = (more: Partial<MemberInput> = {}): MemberInput => ({
  id: 'writer@notes',
  name: 'writer',
  model: 'scripted/notes',
  limits: { max_turns: 3 },
  hooked: false,
  incarnation: 'i1',
  executor: 'in-process',
  pid: 7,
  ...more,
})

export const says = (text: string): UserMessage => userMessage(text)
export const prompt = (text: string): MemberEvent => ({ type: 'prompt', message: says(text), at: 1 })
export const steer = (text: string): MemberEvent => ({ type: 'steer', message: says(text), at: 1 })
export const rang = (priority: MailRang['priority'] = 'normal'): MailRang => ({ type: 'mail.rang', priority, at: 1 })
export const wake: MemberEvent = { type: 'wake', at: 1 }
export const abort: MemberEvent = { type: 'abort', at: 1 }
export const shutdown = (reason = 'enough'): MemberEvent => ({ type: 'shutdown', reason, at: 1 })
export const outcome = (more: Partial<AgentOutput> = {}): AgentOutput => ({
  reason: 'completed',
  turn: 1,
  ...more,
})

type Finish = { readonly type: 'finish'; readonly output: AgentOutput }

/** An agent that does nothing but note what it is told, until the test says that it is done. */
const quietAgent = (told: string[], heard: (event: AgentCommand) => void) =>
  setup({
    types: {
      context: {} as { output: AgentOutput },
      events: {} as AgentCommand | Finish,
      input: {} as AgentInput,
      output: {} as AgentOutput,
    },
  }).createMachine({
    context: ({ input }) => {
      told.push(`work ${JSON.stringify(input)}`)
      return { output: outcome() }
    },
    initial: 'working',
    states: {
      working: {
        on: {
          finish: { target: 'done', actions: assign({ output: ({ event }) => event.output }) },
          '*': {
            actions: ({ event }) => {
              if (event.type === 'finish') return
              told.push(textOf(event))
              heard(event)
            },
          },
        },
      },
      done: { type: 'final' },
    },
    output: ({ context }) => context.output,
  })

const textOf = (event: AgentCommand): string =>
  'message' in event
    ? `${event.type} ${event.message.content.map((block) => ('text' in block ? block.text : '')).join('')}`
    : JSON.stringify(event)

/** A member whose ports answer as the world says; `told` is what its agent and its ports were told, in order. */
export const born = (more: Partial<MemberInput> = {}, open: Promise<OpenOutput> = Promise.resolve({ unread: 0 })) => {
  const told: string[] = []
  const world = {
    unread: () => Promise.resolve({ unread: 0 }),
    reply: (): Promise<ReplyOutput> => Promise.resolve({ replied: [] }),
    close: () => Promise.resolve(),
    /** What a test does the moment its agent hears something. */
    heard: (_: AgentCommand): void => undefined,
  }
  const bell: { ring: (event: MailRang) => void; listeners: number } = { ring: () => undefined, listeners: 0 }
  const machine = memberMachine.provide({
    actors: {
      open: fromPromise(() => open),
      unread: fromPromise(() => world.unread()),
      close: fromPromise(() => world.close()),
      reply: fromPromise<ReplyOutput, ReplyInput>(({ input }) => {
        told.push(`reply ${input.outcome.reason}`)
        return world.reply()
      }),
      inbox: fromCallback(({ sendBack }) => {
        bell.listeners += 1
        bell.ring = sendBack
        return () => {
          bell.listeners -= 1
        }
      }),
      agent: quietAgent(told, (event) => world.heard(event)) as unknown as typeof agentMachine,
    },
  })
  const member = run(machine, inputOf(more))
  const agent = () => member.snapshot().children['agent'] as unknown as { send(event: Finish | AgentCommand): void }
  return { ...member, world, told, bell, agent, lines: () => member.facts.map(factLine) }
}
