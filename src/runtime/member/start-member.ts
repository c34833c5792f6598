import type { AnyActorRef } from 'xstate'
import { memberState, type memberMachine, type MemberInput } from '../../../machines/member/member.ts'
import type { LocalWorker } from '../../adapters/executors/in-process.ts'
import type { Mailbox } from '../../adapters/mailbox/mailbox.ts'
import { markVariable } from '../../adapters/process/end-process.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { policyHash } from '../../adapters/sessions/orders.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { userMessage, type UserMessage } from '../../protocol/conversation/message.ts'
import { askersOf, owedNow } from '../../projections/team/obligations.ts'
import type { ReplyInput, ReplyOutput, UnreadOutput } from '../../protocol/port.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { lastText, unansweredCalls } from '../../rules/conversation/context-window.ts'
import type { Clock } from '../actors/clock.ts'
import { openMemberStore, type Incarnation, type MemberStore } from './member-store.ts'
import { endPrograms } from './end-programs.ts'
import type { Ledger } from '../journals/ledger.ts'
import { bindMember, providedMember, unbindMember, type MemberPorts } from './member-ports.ts'
import { answerShape } from './answer-shape.ts'
import { sendOrAnswer } from './send-or-answer.ts'
import { beginCall, type Beginning } from './begin-call.ts'
import { memberApprovals } from './member-approvals.ts'
import { memberModelAccess } from './member-recovery.ts'
import { memberDeps, type LeadTurn } from './member-deps.ts'
import { openPlanMode } from '../agent/plan-mode.ts'
import { reply } from './reply.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { takeMail } from './take-mail.ts'
import { resumeMember } from './resume-member.ts'
import type { TeamActions } from '../reach/team-port.ts'
import type { RunContext } from '../context/run-context.ts'
import type { InFlight } from '../actors/in-flight.ts'

/** What a member is made of, besides what all members share. */
export interface StartMemberOptions {
  readonly context: RunContext
  readonly card: MemberCard
  readonly leadTurn: LeadTurn
  readonly actions: Omit<TeamActions, 'send'>
  readonly crashed: (error: unknown) => void
  readonly birth?: Incarnation
  /** What its commands find of how deep in runs they are. */
  readonly nested: Readonly<Record<string, string>>
}

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
  /** Ends it at once and without a word: nothing can be recorded any more. */
  drop(): void
}

/** Gives a member its journal, inbox, model and tools, and starts its machine as a root actor. */
export function startMember(parts: StartMemberOptions): LocalMember {
  const { context, card, crashed } = parts
  const { now } = context.clock
  const store = openMemberStore(context, card, parts.birth)
  const life = lifeOf(store, context.clock, crashed)
  const leave = new AbortController()
  const prompt = (message: UserMessage): void => tell(actor, { type: 'prompt', message, at: now() })
  const actor = spawnRoot<typeof memberMachine>(providedMember, memberInput(parts, store), {
    id: card.name,
    clock: context.clock,
    bind(root) {
      const receive = () =>
        takeMail({ store, leadTurn: parts.leadTurn, abort: () => tell(actor, { type: 'abort', at: now() }) })
      const deps = worldOf(parts, store, receive)
      life.of(root, bindMember(root, reachOf(parts, store, { deps, leaving: leave.signal, prompt }), deps))
    },
    record: life.record,
    crashed: life.die,
  })
  whenOver(actor, () => life.over())

  return {
    ready: life.ready,
    gone: life.gone,
    busy: () => ['starting', 'busy'].includes(memberState(actor.getSnapshot())),
    record: store.ledger.record,
    send: store.mailbox.send,
    shutdown(reason, returns = false) {
      leave.abort()
      tell(actor, { type: 'shutdown', reason, returns, at: now() })
    },
    prompt,
    wake: () => tell(actor, { type: 'wake', at: now() }),
    drop: life.drop,
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

function memberInput({ context, card }: StartMemberOptions, { incarnation }: MemberStore): MemberInput {
  return {
    id: agentId(card.name, context.team.name),
    name: card.name,
    model: card.model,
    limits: {
      max_turns: card.max_turns,
      ...(card.turn_output === undefined ? {} : { turn_output: card.turn_output }),
      ...(card.token_goal === undefined ? {} : { token_goal: card.token_goal }),
    },
    ...(card.verify ? { verify: card.verify } : {}),
    ...(card.escalate ? { escalate: card.escalate } : {}),
    hooked: false,
    incarnation,
    executor: card.executor,
    pid: ownProcess().pid,
    policy: policyHash(context.policy(card)),
  }
}

function worldOf(parts: StartMemberOptions, store: MemberStore, receive: () => number): AgentDeps {
  const { conversation, memory, debts, denials, pause, ledger, incarnation } = store
  const { approvals, team, clock } = parts.context
  // Whatever this life starts can be found by its mark when the life ends without a word.
  const { cwd } = parts.context.workplace(parts.card)
  const context = { ...parts.context, cwd, env: { ...parts.context.env, [markVariable]: incarnation, ...parts.nested } }
  return memberDeps({
    ...parts,
    context,
    conversation,
    memory,
    modelAccess: memberModelAccess(parts.context, parts.card, { pause, note: (fact) => ledger.record([fact]) }),
    receive,
    shape: () => answerShape(debts, conversation, parts.card),
    approvals: memberApprovals({
      approvals,
      team: team.name,
      conversation,
      denials,
      now: clock.now,
      save: savingFor(parts.context),
    }),
    advice: store.advice,
    plan: openPlanMode(
      store.planning,
      () => parts.context.policy(parts.card),
      (fact) => ledger.record([fact]),
    ),
    calls: { limits: parts.card.tool_limits ?? {}, earlier: { ...store.calls } },
    seen: store.seen,
    loaded: store.loaded,
    task: () => owedNow(debts).at(-1)?.body ?? null,
    askers: () => askersOf(debts),
    actions: { ...parts.actions, send: (draft) => receiptOf(sendOrAnswer(store, draft)) },
  })
}

type Returning = Pick<Beginning, 'deps' | 'leaving'> & Pick<LocalMember, 'prompt'>

function reachOf(
  { context, card, leadTurn, crashed }: StartMemberOptions,
  store: MemberStore,
  { deps, leaving, prompt }: Returning,
): MemberPorts {
  const { mailbox, conversation, debts } = store
  const send = (draft: MailDraft): string => {
    const sent = mailbox.send(draft)
    if (!sent.ok) throw new Error(sent.error)
    return sent.envelope.id
  }
  const repair = (text: string): void => prompt(userMessage(text, 'runtime'))
  const answer = (ended: ReplyInput): Promise<ReplyOutput> =>
    reply(debts, { ...ended, lastText: lastWords(store), conversation }, { send, repair })
  return {
    async open() {
      const { unanswered, ...left } = await resumeMember({
        store,
        deps,
        verifies: card.verify !== undefined,
        journal: context.run.journalFile(card.name),
        leaving,
        answer: (outcome) => answer({ outcome }),
        begin: (call) => beginCall({ store, deps, clock: context.clock, leaving }, call),
      })
      return { ...left, unread: workOf(leadTurn, store).unread + (unanswered ? 1 : 0) }
    },
    unread: () => workOf(leadTurn, store),
    watch: (rang) =>
      mailbox.watch(({ priority }) => {
        // Calls that run are not asked whether they may be interrupted by what calls them off.
        if (priority === 'interrupt') queueMicrotask(() => takeBesideCalls(store, deps, crashed))
        rang(priority)
      }),
    reply: answer,
    now: context.clock.now,
  }
}

/** What it said last on the work at hand. */
function lastWords({ conversation, debts }: MemberStore): string {
  return lastText(conversation, debts.tasks.atHand?.envelope)
}

function takeBesideCalls({ conversation }: MemberStore, deps: AgentDeps, crashed: StartMemberOptions['crashed']): void {
  if (unansweredCalls(conversation).length === 0) return
  try {
    deps.receive()
  } catch (error) {
    crashed(error)
  }
}

/** What a person wants allowed from now on stands in their own settings of this workspace. */
function savingFor({ cwd, home }: RunContext): (rules: readonly string[]) => Promise<void> {
  return async (rules) => {
    const { keepRules } = await import('../settings/keep-rules.ts')
    keepRules({ cwd, home, target: 'local', list: 'allow', rules })
  }
}

/** How much there is to do for it, and what it waits for when that is nothing. */
function workOf(leadTurn: LeadTurn, store: MemberStore): UnreadOutput {
  const { owed, asked, due } = store.debts
  const unread = store.unread() + (leadTurn.news() ? 1 : 0) + (due ? 1 : 0)
  if (owed.size > 0 && asked.size > 0) return { unread, waits: 'waiting_for_answer' }
  return { unread, waits: leadTurn.awaits() ? 'waiting_for_results' : 'nothing_to_do' }
}

function receiptOf(sent: ReturnType<Mailbox['send']>): ReturnType<TeamActions['send']> {
  if (!sent.ok) return { error: sent.error }
  const { id, request } = sent.envelope
  return {
    id,
    ...(request === undefined ? {} : { request }),
    ...(sent.note === undefined ? {} : { note: sent.note }),
  }
}
