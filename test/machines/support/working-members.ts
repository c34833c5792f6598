import { applyWaits, emptyWaits, vainWaits } from '../../../src/projections/team/waits.ts'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { memberName } from '../../../src/protocol/words/ids.ts'
import { pick, type Dice } from './dice.ts'
import { walkingMember, type Ending, type MailPart } from './walking-member.ts'

/** The world around the members of a history. */
interface Surroundings {
  readonly draw: Dice
  readonly workers: readonly string[]
  readonly recorded: readonly Recorded[]
  record(owner: string, fact: Fact): Entry
  /** Sends a mail, once under one key, and returns it. */
  mail(from: string, to: string, part: MailPart): Envelope
  say(name: string): void
  /** Text of a member about a request. */
  wrote(text: string, request: string, worker: string): void
  /** A wait was broken: whoever is named must not be about to do anything. */
  broke(member: string, text: string): void
}

/** Facts after which somebody may be still. */
const stills: ReadonlySet<string> = new Set([
  'request.opened',
  'member.idled',
  'agent.parked',
  'member.lost',
  'request.settled',
])

/** The workers of a history, the reading lead, and who waits in vain. */
export function workingMembers(world: Surroundings) {
  const { draw, workers } = world
  const lost = new Set<string>()
  const lead: Envelope[] = []
  let waits = emptyWaits('lead')
  let isStiller = false
  const members = new Map<string, ReturnType<typeof walkingMember>>()
  const of = (name: string) => members.get(name)
  const ready = (): readonly string[] => workers.filter((name) => !lost.has(name) && of(name)?.isMoving())

  return {
    ready,
    /** Their first lives begin. */
    begin(): void {
      for (const name of workers) {
        world.record('team', { type: 'member.spawned', member: name, attempt: 1 })
        const own = {
          name,
          draw,
          others: () => ['lead', ...workers].filter((other) => other !== name),
          record: (fact: Fact) => world.record(name, fact),
          mail: (to: string, part: MailPart) => world.mail(name, to, part),
          say: world.say,
          wrote: (text: string, request: string) => world.wrote(text, request, name),
        }
        members.set(name, walkingMember(own))
      }
    },
    /** One of them goes on by one port. */
    async step(end: Ending, dies = false): Promise<void> {
      const name = pick(draw, ready())
      if (name !== undefined) await of(name)?.step(end, dies)
    },
    /** The process of one is killed, whatever it does. */
    kill(): void {
      const name = pick(draw, workers)
      if (name === undefined || lost.has(name)) return
      world.record('team', { type: 'member.crashed', member: name, error: 'killed' })
      of(name)?.kill()
    },
    leadReads(): void {
      // The lead rests again when it has read.
      if (lead.length > 0) isStiller = true
      for (const envelope of lead.splice(0)) {
        world.record('lead', { type: 'mail.received', envelope })
        const { kind, from, id, sender } = envelope
        if (kind !== 'question' || !workers.includes(sender)) continue
        world.mail('lead', memberName(from as `${string}@${string}`), {
          kind: 'answer',
          body: 'That.',
          reply_to: id,
          key: `answer:${id}`,
        })
      }
    },
    /** Journals of members and the fold of waits hear each entry. */
    hear(recorded: Recorded): void {
      const { owner, entry } = recorded
      applyWaits(waits, recorded)
      of(owner)?.apply(entry)
      if (stills.has(entry.type)) isStiller = true
      if (entry.type === 'member.lost') lost.add(entry.member)
      if (entry.type !== 'mail.sent') return
      const to = memberName(entry.envelope.to)
      if (to === 'lead') lead.push(entry.envelope)
      else of(to)?.deliver(entry.envelope)
    },
    /** Another leader knows of waits what the journals say. */
    resume(): void {
      waits = emptyWaits('lead')
      for (const recorded of world.recorded) applyWaits(waits, recorded)
      isStiller = true
    },
    /** Tells those who wait in vain, as the leader does when somebody came to rest. */
    look(): void {
      if (!isStiller) return
      isStiller = false
      for (const { member, wait, text } of vainWaits(waits)) {
        world.broke(member, text)
        world.mail('lead', member, { kind: 'control', body: text, reply_to: wait, key: `release:${member}:${wait}` })
      }
    },
    /** Somebody writes to somebody else, whatever that one is doing. */
    chat(): void {
      const [from = '', to = ''] = [pick(draw, workers), pick(draw, workers)]
      if (from !== to && !lost.has(from)) world.mail(from, to, { kind: 'text', body: 'By the way.' })
    },
    isStill: (name: string): boolean => lost.has(name) || (!of(name)?.isMoving() && !of(name)?.hasMail()),
  }
}
