import {
  amended,
  applyObligations,
  emptyObligations,
  type Obligations,
} from '../../../src/projections/team/obligations.ts'
import { applyWaits, emptyWaits, vainWaits } from '../../../src/projections/team/waits.ts'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { memberName } from '../../../src/protocol/words/ids.ts'
import { debtOf } from '../../../src/rules/conversation/task-queue.ts'
import { reply } from '../../../src/runtime/member/reply.ts'
import { pick, type Dice } from './dice.ts'

export type MailPart = Pick<Envelope, 'kind' | 'body'> & Partial<Envelope>

/** The world around the members of a history. */
interface Surroundings {
  readonly draw: Dice
  readonly workers: readonly string[]
  readonly recorded: readonly Recorded[]
  record(owner: string, fact: Fact): Entry
  /** Sends a mail and returns it. */
  mail(from: string, to: string, part: MailPart): Envelope
  /** Hears a result in the moment in which it is written. */
  result(envelope: Envelope): void
  say(name: string): void
  /** Text of a member about a request, or about none. */
  wrote(text: string, request: string, worker: string): void
  /** A wait was broken: whoever is named must not be about to do anything. */
  broke(member: string, text: string): void
}

/** How a piece of work ends. */
export type Ending = 'done' | 'failed' | 'cancelled' | 'waits' | 'asks' | 'reports'

const reasons = { failed: 'failed', cancelled: 'aborted_tools' } as const

/**
 * Workers that take mail, write texts, wait and ask, with the real rules of what a member owes, how it replies and who
 * waits in vain; a model, an inbox and a disk they have not.
 */
export function workingMembers(world: Surroundings) {
  const { draw, workers, record } = world
  const boxes = new Map<string, Envelope[]>()
  const debts = new Map(workers.map((name) => [name, emptyObligations()]))
  const lost = new Set<string>()
  let waits = emptyWaits('lead')
  let texts = 0

  const debtsOf = (name: string): Obligations => debts.get(name) ?? emptyObligations()
  const boxOf = (name: string): Envelope[] => boxes.get(name) ?? []
  const state = (name: string, fact: Fact): Entry => record(name, fact)
  const receive = (name: string): readonly Envelope[] => {
    const mail = boxOf(name).splice(0)
    for (const envelope of mail) state(name, { type: 'mail.received', envelope })
    return mail
  }
  const speak = (name: string): string => {
    texts += 1
    const text = `(${name} ${texts})`
    state(name, {
      type: 'message.appended',
      message: {
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text }],
        stop: 'end',
        usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
      },
    })
    return text
  }
  const others = (name: string): readonly string[] => ['lead', ...workers].filter((other) => other !== name)
  const answer = async (name: string, lastText: string, end: Ending): Promise<void> => {
    const reason = end === 'failed' || end === 'cancelled' ? reasons[end] : 'completed'
    state(name, { type: 'agent.ended', turn: 1, reason })
    const outcome = { reason, turn: 1, compactedReactively: false } as const
    const { replied } = await reply(
      debtsOf(name),
      { outcome, lastText, conversation: { messages: [] } },
      {
        send(draft) {
          const sent = world.mail(name, memberName(draft.to as `${string}@${string}`), draft as MailPart)
          if (sent.kind === 'result') world.result(sent)
          return sent.id
        },
        repair: () => undefined,
      },
    )
    for (const each of replied) state(name, { type: 'member.replied', ...each })
    state(name, { type: 'member.idled' })
  }
  /** One piece of work: its mail, one turn, its reply. Nothing is done where there is nothing to do. */
  const work = async (name: string, end: Ending): Promise<void> => {
    const owed = debtsOf(name)
    const before = owed.tasks.atHand
    const heard = receive(name).some(({ kind, reply_to }) => kind !== 'control' || reply_to !== undefined)
    const isNext = owed.tasks.atHand !== null && owed.tasks.atHand !== before
    if (!heard && !isNext && !owed.due) return
    state(name, { type: 'member.woke' })
    state(name, { type: 'agent.started' })
    const atHand = owed.tasks.atHand
    const request = atHand === null ? null : debtOf(atHand.envelope)
    const whom = pick(draw, others(name)) ?? 'lead'
    if (end === 'waits') state(name, { type: 'member.waits', wait: `wait-${texts}-${name}`, for: whom, reason: 'r' })
    if (end === 'asks') world.mail(name, whom, { kind: 'question', body: 'What?' })
    if (end === 'done' && draw(4) === 0) world.mail(name, whom, { kind: 'text', body: 'Mind this.' })
    const text = end === 'reports' && request !== null ? `(${name} reports ${(texts += 1)})` : speak(name)
    if (end === 'reports' && request !== null) state(name, { type: 'member.reported', request, text })
    // A failure says its last words only, and whoever wrote to its asker itself has said it there.
    const isKept = end !== 'failed' && end !== 'cancelled' && (request !== null || amended(owed) !== null)
    if (isKept) world.wrote(text, request ?? debtOf(owed.past.task as Envelope), name)
    world.say(`${name} ${end}${whom === 'lead' || end === 'waits' ? ` ${whom}` : ''}, ${request ?? 'nothing at hand'}`)
    await answer(name, text, end)
  }
  const leadReads = (): void => {
    for (const { kind, from, id, sender } of receive('lead')) {
      if (kind !== 'question' || !workers.includes(sender)) continue
      world.mail('lead', memberName(from as `${string}@${string}`), { kind: 'answer', body: 'That.', reply_to: id })
    }
  }
  return {
    work,
    leadReads,
    /** Journals of members and the fold of waits hear each entry. */
    hear(recorded: Recorded): void {
      const { owner, entry } = recorded
      applyWaits(waits, recorded)
      const own = debts.get(owner)
      if (own) applyObligations(own, recorded)
      if (entry.type === 'mail.sent') {
        const to = memberName(entry.envelope.to)
        boxes.set(to, [...boxOf(to), entry.envelope])
      }
      if (entry.type === 'member.lost') lost.add(entry.member)
    },
    /** Another leader knows of waits what the journals say. */
    resume(): void {
      waits = emptyWaits('lead')
      for (const recorded of world.recorded) applyWaits(waits, recorded)
    },
    /** Tells those who wait in vain, as the leader does when somebody came to rest. */
    look(): void {
      for (const { member, wait, text } of vainWaits(waits)) {
        world.broke(member, text)
        world.mail('lead', member, { kind: 'control', body: text, reply_to: wait })
      }
    },
    /** Those who have something to do. */
    ready: (): readonly string[] =>
      workers.filter((name) => !lost.has(name) && (boxOf(name).length > 0 || debtsOf(name).due)),
    /** Somebody writes to somebody else, whatever that one is doing. */
    chat(): void {
      const [from = '', to = ''] = [pick(draw, workers), pick(draw, workers)]
      if (from !== to && !lost.has(from)) world.mail(from, to, { kind: 'text', body: 'By the way.' })
    },
    isStill: (name: string): boolean => lost.has(name) || boxOf(name).length === 0,
  }
}
