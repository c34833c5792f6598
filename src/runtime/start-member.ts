import { memberState, type memberMachine, type MemberInput } from '../../machines/member.ts'
import type { LocalWorker } from '../adapters/executors/in-process.ts'
import type { Mailbox } from '../adapters/mailbox/mailbox.ts'
import { ownProcess } from '../adapters/process/liveness.ts'
import type { MailDraft } from '../protocol/envelope.ts'
import type { Fact } from '../protocol/fact.ts'
import { agentId } from '../protocol/ids.ts'
import type { UserMessage } from '../protocol/message.ts'
import type { MemberCard } from '../protocol/team-card.ts'
import { lastText, needsAnswer } from '../rules/context-window.ts'
import { openDesk, type Desk } from './desk.ts'
import type { Ledger } from './ledger.ts'
import { bindMember, providedMember, type MemberReach } from './member-ports.ts'
import { memberWorld, type Gate } from './member-world.ts'
import { reply } from './reply.ts'
import { spawnRoot, tell } from './spawn.ts'
import type { Surroundings } from './surroundings.ts'
import type { TeamReach } from './team-port.ts'
import type { TeamScene } from './team-scene.ts'

/** What a member is made of, besides what all members share. */
export interface MemberParts {
  readonly scene: TeamScene
  readonly card: MemberCard
  readonly gate: Gate
  readonly reach: Omit<TeamReach, 'send'>
  readonly crashed: (error: unknown) => void
}

/** A member that lives in this process. */
export interface LocalMember extends LocalWorker {
  /** Neither idle nor gone. */
  busy(): boolean
  record: Ledger['record']
  send: Mailbox['send']
  prompt(message: UserMessage): void
  wake(): void
}

/** Gives a member its journal, inbox, model and tools, and starts its machine as a root actor. */
export function startMember(parts: MemberParts): LocalMember {
  const { scene, card, crashed } = parts
  const { now } = scene.clock
  const desk = openDesk(scene, card)
  const life = lifeOf(desk, crashed)
  const actor = spawnRoot<typeof memberMachine>(providedMember, memberInput(parts, desk), {
    id: card.name,
    clock: scene.clock,
    bind: (root) => bindMember(root, reachOf(parts, desk), worldOf(parts, desk)),
    record: (fact) => life.record(fact, () => actor.stop()),
    crashed: life.die,
  })
  actor.subscribe({ complete: () => life.over() })

  return {
    ready: life.ready,
    gone: life.gone,
    busy: () => ['starting', 'busy'].includes(memberState(actor.getSnapshot())),
    record: desk.ledger.record,
    send: desk.mailbox.send,
    ring: ({ priority }) => tell(actor, { type: 'mail.rang', priority, at: now() }),
    shutdown: (reason) => tell(actor, { type: 'shutdown', reason, at: now() }),
    prompt: (message) => tell(actor, { type: 'prompt', message, at: now() }),
    wake: () => tell(actor, { type: 'wake', at: now() }),
  }
}

/**
 * How a member's life ends: in order, or at once when it crashed or its journal takes nothing more (another owner came,
 * the disk is full). What it would do after that is not recorded, so it does nothing.
 */
function lifeOf(desk: Desk, crashed: MemberParts['crashed']) {
  const ready = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let dead = false
  const over = (error?: unknown): void => {
    desk.close()
    ready.reject(error)
    gone.resolve()
  }
  const die = (error: unknown): void => {
    if (dead) return
    dead = true
    over(error)
    crashed(error)
  }
  const record = (fact: Fact, stop: () => void): void => {
    if (dead) return
    try {
      desk.ledger.record([fact])
      if (fact.type === 'member.started') ready.resolve()
    } catch (error) {
      queueMicrotask(stop)
      die(error)
    }
  }
  return { ready: ready.promise, gone: gone.promise, over, die, record }
}

function memberInput({ scene, card }: MemberParts, { incarnation }: Desk): MemberInput {
  return {
    id: agentId(card.name, scene.team.name),
    name: card.name,
    model: card.model,
    limits: { max_turns: card.max_turns },
    hooked: false,
    incarnation,
    executor: card.executor,
    pid: ownProcess().pid,
  }
}

function worldOf(parts: MemberParts, { mailbox, conversation }: Desk): Surroundings {
  return memberWorld({
    ...parts,
    conversation,
    receive: () => mailbox.receive().length,
    reach: { ...parts.reach, send: (draft) => receiptOf(mailbox.send(draft)) },
  })
}

function reachOf({ scene }: MemberParts, { mailbox, conversation, debts }: Desk): MemberReach {
  const send = (draft: MailDraft): string => {
    const sent = mailbox.send(draft)
    if (!sent.ok) throw new Error(sent.error)
    return sent.envelope.id
  }
  return {
    unanswered: () => conversation.messages.length > 0 && needsAnswer(conversation),
    unread: mailbox.unread,
    watch: (rang) => mailbox.watch(({ priority }) => rang(priority)),
    reply: ({ outcome }) => reply(debts, { outcome, lastText: lastText(conversation) ?? '' }, send),
    now: scene.clock.now,
  }
}

function receiptOf(sent: ReturnType<Mailbox['send']>): ReturnType<TeamReach['send']> {
  if (!sent.ok) return { error: sent.error }
  return { id: sent.envelope.id, ...(sent.note === undefined ? {} : { note: sent.note }) }
}
