import { intakeOf, type Intake } from './intake.ts'
import { fromCallback, fromPromise, type AnyActorRef, type EventObject } from 'xstate'
import { memberState, memberMachine, type MemberInput } from '../../../machines/member/member.ts'
import type { LocalWorker } from '../../adapters/executors/in-process.ts'
import type { Mailbox } from '../../adapters/mailbox/mailbox.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { policyHash } from '../settings/policy-hash.ts'
import type { MailPriority } from '../../protocol/mail/envelope.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { userMessage, type UserMessage } from '../../protocol/conversation/message.ts'
import type { ReplyInput, ReplyOutput, UnreadOutput, OpenOutput } from '../../protocol/port.ts'
import { lastText, unansweredCalls } from '../../rules/conversation/context-window.ts'
import type { Clock } from '../actors/clock.ts'
import { openMemberHooks, type MemberHooks } from './member-hooks.ts'
import { openMemberMiddleware, type MemberMiddleware } from './member-middleware.ts'
import { openWorkLook } from './look-for-work.ts'
import { openMemberServers } from './member-servers.ts'
import { openMemberStore, type MemberStore } from './member-store.ts'
import { endPrograms } from './end-programs.ts'
import type { Ledger } from '../journals/ledger.ts'
import { memberInstructions, memberPrompt, memberSkills } from './member-prompt.ts'
import type { PromptPrint } from '../prompt/open-prompt.ts'
import { memberDeps, type StartMemberOptions, type LeadTurn } from './member-deps.ts'
import { reply, sending } from './reply.ts'
import { spawnRoot, tell, whenOver, perSystem } from '../actors/spawn.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { inputOf } from '../agent/compose-agent.ts'
import type { ReturningAgent } from '../agent/take-up-work.ts'
import { takeMail } from './take-mail.ts'
import { newMailOf, takeChoices, type NewMail } from './persons-choices.ts'
import { resumeMember } from './resume-member.ts'
import { agentSessions, type InFlight } from '../agent/agent-session.ts'
import { bindAgent, providedAgent, settleAgent, unbindAgent } from '../agent/agent-ports.ts'

/** A member that lives in this process. */
export interface LocalMember extends LocalWorker {
  /** Neither idle nor gone. */
  busy(): boolean
  record: Ledger['record']
  send: Mailbox['send']
  prompt(message: UserMessage): void
  wake(): void
  /** @param returns a later life takes up what it waits for */
  shutdown(reason: string, returns?: boolean): void
  /** Ends the member at once and without a word: nothing can be recorded any more. */
  drop(): void
}

/** Gives a member its journal, inbox, model and tools, and starts its machine as a root actor. */
export function startMember(parts: StartMemberOptions): LocalMember {
  const [{ context, card, crashed }, { now }] = [parts, parts.context.clock]
  const store = openMemberStore(context, card, { ...parts, board: parts.actions.tasks?.board })
  const life = lifeOf(store, context.clock, crashed)
  let agent: AgentDeps
  const mcp = openMemberServers(parts, store, () => agent)
  void life.gone.catch(() => undefined).then(() => mcp?.close())
  const [leave, intake] = [new AbortController(), { failure: null } satisfies Intake]
  const prompt = (message: UserMessage): void => tell(actor, { type: 'prompt', message, at: now() })
  const skills = memberSkills(parts, store, () => agent)
  const rewake = (text: string): void => prompt(userMessage(text, 'hook'))
  const hooks = openMemberHooks(parts, store, { skills, mcp, deps: () => agent, rewake })
  if (hooks !== null) void life.gone.then(hooks.close, hooks.close)
  const around = openMemberMiddleware(parts, store, () => agent)
  const [own, instruct] = [memberPrompt(parts, store, { mcp, skills }), memberInstructions(parts, store, hooks)]
  const input = memberInput(parts, store, { prompt: own.print(), hooked: (hooks ?? around) !== null })
  const actor = spawnRoot<typeof memberMachine>(providedMember, input, {
    id: card.name,
    clock: context.clock,
    bind(root) {
      const abort = (): void => tell(actor, { type: 'abort', at: now() })
      const receive = intakeOf((answered) => takeMail({ store, leadTurn: parts.leadTurn, abort }, answered), intake)
      const deps = (agent = memberDeps(parts, store, { receive, mcp, hooks, around, skills, prompt: own, instruct }))
      const returning = { deps, intake, leaving: leave.signal, prompt, hooks, around }
      life.of(root, bindMember(root, portsOf(parts, store, returning), deps))
    },
    record: life.record,
    crashed: life.die,
  })
  whenOver(actor, () => life.over())

  return {
    ready: life.ready,
    gone: life.gone,
    record: store.ledger.record,
    send: store.mailbox.send,
    prompt,
    drop: life.drop,
    ...ordersTo(actor, leave, now),
  }
}

type MemberActor = ReturnType<typeof spawnRoot<typeof memberMachine>>

/** @param leave is aborted when the member is told to leave */
function ordersTo(
  actor: MemberActor,
  leave: AbortController,
  now: () => number,
): Pick<LocalMember, 'busy' | 'shutdown' | 'wake'> {
  return {
    busy: () => ['starting', 'busy'].includes(memberState(actor.getSnapshot())),
    shutdown(reason, returns = false) {
      leave.abort()
      tell(actor, { type: 'shutdown', reason, returns, at: now() })
    },
    wake: () => tell(actor, { type: 'wake', at: now() }),
  }
}

/**
 * How a member's life ends: in order, or at once when it crashed or its journal takes nothing more (another owner came,
 * the disk is full). What it would do after that is not recorded, so it does nothing.
 */
function lifeOf(store: MemberStore, clock: Clock, crashed: StartMemberOptions['crashed']) {
  const ready = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let root: AnyActorRef | null = null
  let inFlight: InFlight | null = null
  let dead = false
  const over = (error?: unknown): void => {
    ready.reject(error)
    const doing = [store.close(), inFlight?.over() ?? null].filter((ending) => ending !== null)
    gone.resolve(endPrograms(store, doing, clock))
  }
  const drop = (error?: unknown): void => {
    if (dead) return
    dead = true
    if (root) cutOff(root)
    over(error)
  }
  const die = (error: unknown): void => {
    if (dead) return
    drop(error)
    crashed(error)
  }
  const record = (facts: readonly Fact[]): void => {
    if (dead) return
    try {
      store.ledger.record(facts)
      if (facts.some(({ type }) => type === 'member.started')) ready.resolve()
    } catch (error) {
      die(error)
    }
  }
  const of = (actor: AnyActorRef, its: InFlight): void => {
    root = actor
    inFlight = its
  }
  return { ready: ready.promise, gone: gone.promise, of, over, die, drop: () => drop(), record }
}

/** Ends what runs and lets nothing begin; it may be in the middle of a step. */
function cutOff(root: AnyActorRef): void {
  unbindMember(root)
  queueMicrotask(() => root.stop())
}

function memberInput(
  { context, card }: StartMemberOptions,
  { incarnation }: MemberStore,
  { prompt, hooked }: { readonly prompt: PromptPrint; readonly hooked: boolean },
): MemberInput {
  return {
    id: agentId(card.name, context.team.name),
    name: card.name,
    model: card.model,
    ...inputOf(card),
    hooked,
    incarnation,
    executor: card.executor,
    pid: ownProcess().pid,
    policy: policyHash(context.policy(card)),
    prompt,
  }
}

interface Returning extends Pick<ReturningAgent, 'deps' | 'leaving'>, Pick<LocalMember, 'prompt'> {
  readonly intake: Intake
  readonly hooks: MemberHooks | null
  readonly around: MemberMiddleware | null
}

function portsOf(
  { context, card, leadTurn, crashed, restarted = false }: StartMemberOptions,
  store: MemberStore,
  { deps, intake, leaving, prompt, hooks, around }: Returning,
): MemberPorts {
  const { mailbox, conversation, debts } = store
  const work = openWorkLook(() => workOf(leadTurn, store), context.clock)
  const answer = async (ended: ReplyInput): Promise<ReplyOutput> => {
    work.ended(ended.outcome.turn)
    await around?.ended(ended.outcome, lastWords(store))
    return reply(
      debts,
      { ...ended, lastText: lastWords(store), conversation },
      { send: sending(mailbox), repair: (text) => prompt(userMessage(text, 'runtime')) },
    )
  }
  return {
    async open() {
      const verifies = card.verify !== undefined
      const life = { store, deps, clock: context.clock, verifies, leaving, repeats: !restarted }
      // A hook, or a call that is made again, may take longer than a leader waits for the beginning of a life.
      if (hooks !== null || unansweredCalls(store.conversation).length > 0) store.atWork()
      await hooks?.begin(leaving)
      await around?.begin(deps.task())
      const { unanswered, ...left } = await resumeMember(store, life, (outcome) => answer({ outcome }))
      return { ...left, unread: workOf(leadTurn, store).unread + (unanswered ? 1 : 0) }
    },
    unread: () => work.look(intake.failure),
    watch: (rang) =>
      mailbox.watch(({ priority }) => {
        queueMicrotask(() => takeAtOnce({ store, deps, inbox: newMailOf(context, card), crashed }, priority))
        work.hasten()
        rang(priority)
      }),
    reply: answer,
    now: context.clock.now,
  }
}

/** The member's last text on the work at hand. */
function lastWords({ conversation, debts }: MemberStore): string {
  return lastText(conversation, debts.tasks.atHand?.envelope)
}

interface Busy extends Pick<StartMemberOptions, 'crashed'> {
  readonly store: MemberStore
  readonly deps: AgentDeps
  readonly inbox: NewMail
}

/**
 * Takes mail that waits for nothing the member does: what a person chose for it and, while calls run, mail that calls one
 * of them off.
 */
function takeAtOnce({ store, deps, inbox, crashed }: Busy, priority: MailPriority): void {
  try {
    if (takeChoices(store.mailbox, inbox)) void deps.choices?.().catch(crashed)
    if (priority === 'interrupt' && unansweredCalls(store.conversation).length > 0) deps.receive()
  } catch (error) {
    crashed(error)
  }
}

/** The amount of work that waits for a member, and the reason why it rests when there is none. */
function workOf(leadTurn: LeadTurn, store: MemberStore): UnreadOutput {
  const { owed, asked, due } = store.debts
  const unread = store.unread() + (leadTurn.news() ? 1 : 0) + (due ? 1 : 0)
  if (asked.size > 0 && (owed.size > 0 || leadTurn.leads)) {
    const waiting_for = [...new Set([...asked.values()].map(({ of }) => of))]
    return { unread, waits: 'waiting_for_answer', waiting_for }
  }
  return { unread, waits: leadTurn.awaits() ? 'waiting_for_results' : 'nothing_to_do' }
}

/** The ports of a member's life, besides those of its agent. */
interface MemberPorts {
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
function unbindMember(actor: AnyActorRef): void {
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
    unread: fromPromise<UnreadOutput>(({ system }) => portsBySystem.of(system).unread()),
    reply: fromPromise<ReplyOutput, ReplyInput>(async ({ input, system }) => portsBySystem.of(system).reply(input)),
    close: fromPromise<void>(({ system }) => settleAgent(agentSessions.of(system))),
  },
})
