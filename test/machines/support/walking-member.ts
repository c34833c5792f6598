import { agentMachine } from '../../../machines/agent/agent.ts'
import type { AgentInput } from '../../../machines/agent/agent-state.ts'
import { memberMachine } from '../../../machines/member/member.ts'
import type { Obligations } from '../../../src/projections/team/obligations.ts'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { callsOf, errorResult, textOf } from '../../../src/protocol/conversation/message.ts'
import type {
  AgentOutput,
  AskOutput,
  IntakeInput,
  IntakeOutput,
  OpenOutput,
  ReplyInput,
  ReplyOutput,
  UnreadOutput,
} from '../../../src/protocol/port.ts'
import { memberName } from '../../../src/protocol/words/ids.ts'
import { lastText, needsAnswer, unansweredCalls } from '../../../src/rules/conversation/context-window.ts'
import { debtOf } from '../../../src/rules/conversation/task-queue.ts'
import { unfinishedText } from '../../../src/rules/tools/unfinished-call.ts'
import { agentFold } from '../../../src/runtime/agent/agent-store.ts'
import type { ReturningAgent } from '../../../src/runtime/agent/take-up-work.ts'
import { isAnswering, type LeadTurn } from '../../../src/runtime/member/member-deps.ts'
import { reply } from '../../../src/runtime/member/reply.ts'
import { resumeMember } from '../../../src/runtime/member/resume-member.ts'
import { takeMail, type MailIntake } from '../../../src/runtime/member/take-mail.ts'
import { answers, assistant, calling, outcome, settled } from './agent-samples.ts'
import { pick, type Dice } from './dice.ts'
import { inputOf } from './member-world.ts'
import { added, begin, childrenOf, doneEvent, take, type Effect, type Walk } from './walk.ts'

export type MailPart = Pick<Envelope, 'kind' | 'body'> & Partial<Envelope>

/** What a model does when it is asked, and who else ends its work. */
export type Ending = 'done' | 'failed' | 'aborted' | 'mute' | 'waits' | 'asks' | 'tells' | 'reports'

/** The world around one worker. */
interface Surroundings {
  readonly name: string
  readonly draw: Dice
  others(): readonly string[]
  record(fact: Fact): Entry
  /** Sends a mail, once under one key, and returns it. */
  mail(to: string, part: MailPart): Envelope
  say(name: string): void
  /** A text with which a turn ended, about a request. */
  wrote(text: string, request: string): void
}

/** No worker leads anybody. */
const noLead: LeadTurn = {
  hold: () => false,
  turnTools: () => {
    throw new Error('no tool is asked for')
  },
  brief: () => null,
  news: () => false,
  awaits: () => false,
  standing: () => [],
  leads: false,
}

/**
 * A worker of a history: the member's and the agent's machines, walked port by port, with the real folds of its journal and
 * the real rules of intake, reply and resuming behind the ports. Model, box and disk are in memory. It can be killed between
 * any two ports, and behind a port whose answer then nobody hears.
 */
export function walkingMember(world: Surroundings) {
  const { name, draw } = world
  const fold = agentFold('life')
  const past = fold.empty()
  const box: Envelope[] = []
  const rung: Envelope[] = []
  const inputs = new Map<string, unknown>()
  let member: Walk<typeof memberMachine>
  let agent: Walk<typeof agentMachine> | null = null
  let said = 0
  const at = 1

  const debts = (): Obligations => past.work.debts
  const request = (): string | null => {
    const { tasks, past: before } = debts()
    if (tasks.atHand !== null) return debtOf(tasks.atHand.envelope)
    // Where a question is owed, the text answers that.
    if (debts().owed.size > 0) return null
    return before.task === null ? null : debtOf(before.task)
  }
  const state = (fact: Fact): Entry => {
    const entry = world.record(fact)
    if (fact.type !== 'message.appended' || fact.message.role !== 'assistant') return entry
    const [text, about] = [textOf(fact.message), request()]
    if (text !== '' && callsOf(fact.message).length === 0 && about !== null) world.wrote(text, about)
    return entry
  }
  const heed = (effects: readonly Effect[]): void => {
    for (const effect of effects) {
      if (effect.kind === 'fact') state(effect.fact)
      if (effect.kind === 'start') inputs.set(effect.id, effect.input)
      if (effect.kind === 'start' && effect.src === 'agent') startAgent(effect.input as AgentInput)
    }
  }
  const takeMember = (event: Parameters<typeof take>[1]): void => {
    const before = member
    member = take(member, event)
    heed(added(before, member))
  }
  const follow = (before: Walk<typeof agentMachine> | null, after: Walk<typeof agentMachine>): void => {
    agent = after
    heed(before === null ? after.effects : added(before, after))
    const { status, output } = after.snapshot as { readonly status: string; readonly output?: AgentOutput }
    if (status !== 'done') return
    agent = null
    takeMember(doneEvent('agent', output))
  }
  const startAgent = (input: AgentInput): void => follow(null, begin(agentMachine, input))
  const takeAgent = (event: Parameters<typeof take>[1]): void => {
    if (agent !== null) follow(agent, take(agent, event))
  }
  const live = (): void => {
    agent = null
    rung.length = 0
    inputs.clear()
    member = begin(memberMachine, inputOf({ name, id: `${name}@team`, limits: { max_turns: 12 } }))
    heed(member.effects)
  }

  const mailbox: Pick<MailIntake['store']['mailbox'], 'receive' | 'unread'> = {
    receive(limit = 256, writers) {
      const mail = box.filter(({ sender }) => writers === undefined || writers.includes(sender)).slice(0, limit)
      for (const envelope of mail) {
        box.splice(box.indexOf(envelope), 1)
        state({ type: 'mail.received', envelope })
      }
      return mail
    },
    unread: () => box.length,
  }
  const ledger = { record: (facts: readonly Fact[]) => facts.map(state) } as unknown as MailIntake['store']['ledger']

  const takeIn = (child: string): void => {
    const { answered = false } = inputs.get(child) as IntakeInput
    const { conversation } = past
    let isOff = false
    const store = { mailbox: mailbox as MailIntake['store']['mailbox'], debts: debts(), ledger, conversation }
    const { received, urgent = false } = takeMail({ store, leadTurn: noLead, abort: () => (isOff = true) }, answered)
    if (isOff) takeAgent({ type: 'abort', at })
    const owes = answered && debts().said.length === 0 && isAnswering(debts(), noLead)
    const output: IntakeOutput = { received, urgent, hold: false, answerable: needsAnswer(conversation), owes }
    if (!isOff || isAlive(child)) takeAgent(doneEvent(child, output))
  }
  const isAlive = (child: string): boolean =>
    agent !== null && childrenOf(agent.snapshot).some(({ id, src }) => id === child && src === 'intake')

  const answer = (end: Ending): AskOutput => {
    said += 1
    const tools = { waits: 'Wait', asks: 'SendMessage', tells: 'SendMessage', reports: 'Report' } as const
    if (end === 'failed') return answers.broken
    if (end === 'mute') return settled(assistant({ content: [] }))
    if (end !== 'done' && end !== 'aborted' && (end !== 'reports' || debts().tasks.atHand !== null))
      return calling([`${end}-${name}-${said}`, tools[end]])
    return settled(assistant({ content: [{ type: 'text', text: `(${name} ${said})` }] }))
  }
  const call = (child: string): void => {
    if (agent === null) return
    const made = agent.snapshot.context.state.calls[Number(child)]
    if (made === undefined) throw new Error(`no call ${child}`)
    const { id, tool } = made
    const whom = pick(draw, world.others()) ?? 'lead'
    state({ type: 'call.started', call_id: id, tool })
    const about = request()
    world.say(`${name} calls ${id} (${whom}), ${about ?? 'nothing at hand'}`)
    if (id.startsWith('waits')) state({ type: 'member.waits', wait: id, for: whom, reason: 'r' })
    if (id.startsWith('asks')) world.mail(whom, { kind: 'question', body: 'What?', key: `call:${id}` })
    if (id.startsWith('tells')) world.mail(whom, { kind: 'text', body: 'Mind this.', key: `call:${id}` })
    if (id.startsWith('reports') && about !== null) {
      const text = `(${name} reports ${said})`
      state({ type: 'member.reported', request: about, text })
      world.wrote(text, about)
    }
    state({ type: 'call.finished', call_id: id, tool, is_error: false, duration_ms: 0 })
    takeAgent(doneEvent(child, outcome(id, tool)))
  }

  const replyTo = (ended: ReplyInput): Promise<ReplyOutput> => {
    const { conversation } = past
    const words = lastText(conversation, debts().tasks.atHand?.envelope)
    const send = ({ to, ...draft }: { readonly to: string }): string =>
      world.mail(memberName(to as Envelope['to']), draft as MailPart).id
    return reply(debts(), { ...ended, lastText: words, conversation }, { send, repair: () => undefined })
  }
  const open = async (): Promise<OpenOutput> => {
    const { conversation, work } = past
    const left = unansweredCalls(conversation)
    const results = left.map(({ id, name: tool }) => errorResult(id, tool, unfinishedText(work.calls.begun.has(id))))
    if (results.length > 0) state({ type: 'message.appended', message: { role: 'tool', results } })
    const life = { store: { conversation, ledger, work }, verifies: false } as unknown as ReturningAgent
    const { unanswered } = await resumeMember({ debts: debts() }, life, (outcome) => replyTo({ outcome }))
    return { unread: look().unread + (unanswered ? 1 : 0) }
  }
  const look = (): UnreadOutput => {
    const { asked, owed, due } = debts()
    const unread = box.length + (due ? 1 : 0)
    return asked.size > 0 && owed.size > 0 ? { unread, waits: 'waiting_for_answer' } : { unread }
  }
  const ports: Readonly<Record<string, () => unknown>> = {
    open,
    unread: look,
    reply: () => replyTo(inputs.get('reply') as ReplyInput),
    close: () => undefined,
  }
  const pending = () =>
    (agent === null ? childrenOf(member.snapshot) : childrenOf(agent.snapshot)).filter(({ src }) => src !== 'inbox')
  const ring = ({ priority }: Envelope): void => {
    if (agent === null) takeMember({ type: 'mail.rang', priority, at })
    else takeAgent({ type: priority === 'interrupt' ? 'interrupt' : 'wake', at })
  }

  live()
  return {
    /** Its own journal goes on. */
    apply: (entry: Entry): void => fold.apply(past, entry),
    deliver(envelope: Envelope): void {
      box.push(envelope)
      rung.push(envelope)
    },
    /** Something of it is under way or about to begin. */
    isMoving: (): boolean => rung.length > 0 || pending().length > 0,
    hasMail: (): boolean => box.length > 0,
    /**
     * One port answers, or a bell is heard.
     * @param dies it is killed after the act of that port, before it hears of it
     */
    async step(end: Ending, dies: boolean): Promise<void> {
      const bell = rung.shift()
      if (bell) {
        ring(bell)
        return
      }
      const child = pick(draw, pending())
      if (child === undefined) return
      if (agent === null) {
        const output = await ports[child.src]?.()
        if (dies) this.kill()
        else takeMember(doneEvent(child.id, output))
      } else if (child.src === 'intake') takeIn(child.id)
      else if (child.src === 'toolCall') call(child.id)
      else if (end === 'aborted') takeAgent({ type: 'abort', at })
      else takeAgent(doneEvent(child.id, answer(end)))
    },
    /** Its process is killed, and another one takes up its journal. */
    kill(): void {
      world.say(`${name} is killed`)
      live()
    },
  }
}
