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
import { openDesk, type Birth, type Desk } from './member-store.ts'
import { endPrograms } from './end-programs.ts'
import type { Ledger } from '../journals/ledger.ts'
import { bindMember, providedMember, unbindMember, type MemberReach } from './member-ports.ts'
import { answerShape } from './answer-shape.ts'
import { sendOrAnswer } from './send-or-answer.ts'
import { beginCall, type Beginning } from './begin-call.ts'
import { askingTeam } from './member-approvals.ts'
import { memberAnswerer } from './member-recovery.ts'
import { memberWorld, type Gate } from './member-deps.ts'
import { openPlanDesk } from '../agent/plan-mode.ts'
import { reply } from './reply.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import type { Surroundings } from '../agent/agent-deps.ts'
import { takeMail } from './take-mail.ts'
import { takeUp } from './resume-member.ts'
import type { TeamReach } from '../reach/team-port.ts'
import type { TeamScene } from '../context/run-context.ts'
import type { Underway } from '../actors/in-flight.ts'

/** What a member is made of, besides what all members share. */
export interface MemberParts {
  readonly scene: TeamScene
  readonly card: MemberCard
  readonly gate: Gate
  readonly reach: Omit<TeamReach, 'send'>
  readonly crashed: (error: unknown) => void
  readonly birth?: Birth
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
export function startMember(parts: MemberParts): LocalMember {
  const { scene, card, crashed } = parts
  const { now } = scene.clock
  const desk = openDesk(scene, card, parts.birth)
  const life = lifeOf(desk, scene.clock, crashed)
  const leave = new AbortController()
  const prompt = (message: UserMessage): void => tell(actor, { type: 'prompt', message, at: now() })
  const actor = spawnRoot<typeof memberMachine>(providedMember, memberInput(parts, desk), {
    id: card.name,
    clock: scene.clock,
    bind(root) {
      const receive = () => takeMail({ desk, gate: parts.gate, abort: () => tell(actor, { type: 'abort', at: now() }) })
      const around = worldOf(parts, desk, receive)
      life.of(root, bindMember(root, reachOf(parts, desk, { around, leaving: leave.signal, prompt }), around))
    },
    record: life.record,
    crashed: life.die,
  })
  whenOver(actor, () => life.over())

  return {
    ready: life.ready,
    gone: life.gone,
    busy: () => ['starting', 'busy'].includes(memberState(actor.getSnapshot())),
    record: desk.ledger.record,
    send: desk.mailbox.send,
    ring: ({ priority }) => tell(actor, { type: 'mail.rang', priority, at: now() }),
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
function lifeOf(desk: Desk, clock: Clock, crashed: MemberParts['crashed']) {
  const ready = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let root: AnyActorRef | null = null
  let underway: Underway | null = null
  let dead = false
  const over = (error?: unknown): void => {
    ready.reject(error)
    const doing = [desk.close(), underway?.over() ?? null].filter((ending) => ending !== null)
    gone.resolve(endPrograms(desk, doing, clock))
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
      desk.ledger.record(facts)
      if (facts.some(({ type }) => type === 'member.started')) ready.resolve()
    } catch (error) {
      die(error)
    }
  }
  const of = (actor: AnyActorRef, its: Underway): void => {
    root = actor
    underway = its
  }
  return { ready: ready.promise, gone: gone.promise, of, over, die, drop: () => drop(), record }
}

/** Ends what runs and lets nothing begin; it may be in the middle of a step. */
function cutOff(root: AnyActorRef): void {
  unbindMember(root)
  queueMicrotask(() => root.stop())
}

function memberInput({ scene, card }: MemberParts, { incarnation }: Desk): MemberInput {
  return {
    id: agentId(card.name, scene.team.name),
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
    policy: policyHash(scene.policy(card)),
  }
}

function worldOf(parts: MemberParts, desk: Desk, receive: () => number): Surroundings {
  const { conversation, memory, debts, denials, pause, ledger, incarnation } = desk
  const { inquiry, team, clock } = parts.scene
  // Whatever this life starts can be found by its mark when the life ends without a word.
  const { cwd } = parts.scene.workplace(parts.card)
  const scene = { ...parts.scene, cwd, env: { ...parts.scene.env, [markVariable]: incarnation, ...parts.nested } }
  return memberWorld({
    ...parts,
    scene,
    conversation,
    memory,
    answerer: memberAnswerer(parts.scene, parts.card, { pause, note: (fact) => ledger.record([fact]) }),
    receive,
    shape: () => answerShape(debts, conversation, parts.card),
    asking: askingTeam({
      inquiry,
      team: team.name,
      conversation,
      denials,
      now: clock.now,
      save: savingFor(parts.scene),
    }),
    advice: desk.advice,
    plan: openPlanDesk(
      desk.planning,
      () => parts.scene.policy(parts.card),
      (fact) => ledger.record([fact]),
    ),
    calls: { limits: parts.card.tool_limits ?? {}, earlier: { ...desk.calls } },
    seen: desk.seen,
    loaded: desk.loaded,
    task: () => owedNow(debts).at(-1)?.body ?? null,
    askers: () => askersOf(debts),
    reach: { ...parts.reach, send: (draft) => receiptOf(sendOrAnswer(desk, draft)) },
  })
}

type Returning = Pick<Beginning, 'around' | 'leaving'> & Pick<LocalMember, 'prompt'>

function reachOf(
  { scene, card, gate, crashed }: MemberParts,
  desk: Desk,
  { around, leaving, prompt }: Returning,
): MemberReach {
  const { mailbox, conversation, debts } = desk
  const send = (draft: MailDraft): string => {
    const sent = mailbox.send(draft)
    if (!sent.ok) throw new Error(sent.error)
    return sent.envelope.id
  }
  const repair = (text: string): void => prompt(userMessage(text, 'runtime'))
  const answer = (ended: ReplyInput): Promise<ReplyOutput> =>
    reply(debts, { ...ended, lastText: lastWords(desk), conversation }, { send, repair })
  return {
    async open() {
      const { unanswered, ...left } = await takeUp({
        desk,
        around,
        verifies: card.verify !== undefined,
        journal: scene.run.journalFile(card.name),
        leaving,
        answer: (outcome) => answer({ outcome }),
        begin: (call) => beginCall({ desk, around, clock: scene.clock, leaving }, call),
      })
      return { ...left, unread: workOf(gate, desk).unread + (unanswered ? 1 : 0) }
    },
    unread: () => workOf(gate, desk),
    watch: (rang) =>
      mailbox.watch(({ priority }) => {
        // Calls that run are not asked whether they may be interrupted by what calls them off.
        if (priority === 'interrupt') queueMicrotask(() => takeBesideCalls(desk, around, crashed))
        rang(priority)
      }),
    reply: answer,
    now: scene.clock.now,
  }
}

/** What it said last on the work at hand. */
function lastWords({ conversation, debts }: Desk): string {
  return lastText(conversation, debts.tasks.atHand?.envelope)
}

function takeBesideCalls({ conversation }: Desk, around: Surroundings, crashed: MemberParts['crashed']): void {
  if (unansweredCalls(conversation).length === 0) return
  try {
    around.receive()
  } catch (error) {
    crashed(error)
  }
}

/** What a person wants allowed from now on stands in their own settings of this workspace. */
function savingFor({ cwd, home }: TeamScene): (rules: readonly string[]) => Promise<void> {
  return async (rules) => {
    const { keepRules } = await import('../settings/keep-rules.ts')
    keepRules({ cwd, home, target: 'local', list: 'allow', rules })
  }
}

/** How much there is to do for it, and what it waits for when that is nothing. */
function workOf(gate: Gate, desk: Desk): UnreadOutput {
  const { owed, asked, due } = desk.debts
  const unread = desk.unread() + (gate.news() ? 1 : 0) + (due ? 1 : 0)
  if (owed.size > 0 && asked.size > 0) return { unread, waits: 'waiting_for_answer' }
  return { unread, waits: gate.awaits() ? 'waiting_for_results' : 'nothing_to_do' }
}

function receiptOf(sent: ReturnType<Mailbox['send']>): ReturnType<TeamReach['send']> {
  if (!sent.ok) return { error: sent.error }
  const { id, request } = sent.envelope
  return {
    id,
    ...(request === undefined ? {} : { request }),
    ...(sent.note === undefined ? {} : { note: sent.note }),
  }
}
