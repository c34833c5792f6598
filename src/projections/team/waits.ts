import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import type { Millis } from '../../protocol/words/ids.ts'
import { debtOf, emptyTasks, isPart, nextTask, type TaskQueue } from '../../rules/conversation/task-queue.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { awaitedOf, endWaits, type Awaited } from './obligations.ts'

/** A member as far as its waiting goes; `resting` members move only when mail comes. */
interface Waiter {
  place: 'absent' | 'busy' | 'resting' | 'gone' | 'lost'
  /** By the question's mail or the wait. */
  readonly waits: Map<string, Awaited & { readonly since: number }>
  readonly tasks: TaskQueue
  /** The latest end of a request of it. */
  ended: Pick<FactOf<'request.settled'>, 'request' | 'status'> | null
}

/** A part of a worker's work that another one has and has not answered. */
export interface OpenPart {
  /** The mail that handed it on. */
  readonly mail: string
  readonly by: string
  readonly to: string
  readonly request: string
  readonly deadline: Millis | null
}

interface OpenRequest {
  /** A member, or, while it is held, a card. */
  readonly worker: string
  readonly held: boolean
  readonly needs: readonly string[]
}

/** The waits of a run, and the members that can still move. */
export interface TeamWaits {
  readonly lead: string
  /** The card of each replica. */
  readonly cards: ReadonlyMap<string, string>
  readonly members: Map<string, Waiter>
  readonly requests: Map<string, OpenRequest>
  /** By the mail. */
  readonly parts: Map<string, OpenPart>
  /** Recipients of mail that was sent and not read, by its id. */
  readonly inFlight: Map<string, string>
  /** Mail of members that was read, or died, before its sender's journal was: it may be another process's. */
  readonly early: Set<string>
}

/**
 * @param lead the coordinator's member name
 * @param cards the card of each replica by its name
 */
export function emptyWaits(lead: string, cards: TeamWaits['cards'] = new Map()): TeamWaits {
  return {
    lead,
    cards,
    members: new Map(),
    requests: new Map(),
    parts: new Map(),
    inFlight: new Map(),
    early: new Set(),
  }
}

/** Follows all journals of a run. */
export const applyWaits = foldOver<TeamWaits, 'mail' | 'request' | 'life' | 'loop' | 'answering'>({
  'mail.sent'(state, { envelope, at }, owner) {
    const { id, kind, from, to, reply_to = '', request = '', deadline = null } = envelope
    if (from !== personSender && !state.early.delete(id)) state.inFlight.set(id, memberName(to))
    if (kind === 'question') waiterOf(state, owner).waits.set(id, { ...awaitedOf(envelope), since: at })
    if (isPart(envelope)) state.parts.set(id, { mail: id, by: owner, to: memberName(to), request, deadline })
    if (kind === 'answer') state.parts.delete(reply_to)
  },
  'mail.received'(state, entry, owner) {
    const { envelope } = entry
    land(state, envelope)
    turn(waiterOf(state, owner), entry)
    endWaits(waiterOf(state, owner).waits, envelope)
    if (envelope.kind === 'control' && state.parts.get(envelope.reply_to ?? '')?.to === owner)
      state.parts.delete(envelope.reply_to ?? '')
  },
  'mail.handled': ignore,
  'mail.died'(state, { mail_id, from }) {
    if (mail_id === undefined) return
    land(state, { id: mail_id, from })
    state.parts.delete(mail_id)
  },
  'member.replied': (state, entry, owner) => turn(waiterOf(state, owner), entry),
  'member.waits'(state, { wait, for: of, at }, owner) {
    waiterOf(state, owner).waits.set(wait, { of, kind: 'wait', since: at })
  },
  'member.reported': (state, _, owner) => waiterOf(state, owner).waits.clear(),
  'request.held': ({ requests }, { request, worker, depends_on: needs }) =>
    void requests.set(request, { worker, held: true, needs }),
  'request.opened': ({ requests }, { request, worker }) =>
    void requests.set(request, { worker, held: false, needs: [] }),
  'request.settled'(state, { request, worker, status }) {
    state.requests.delete(request)
    waiterOf(state, worker).ended = { request, status }
  },
  'member.spawned': (state, { member }) => place(state, member, 'busy'),
  'member.started': (state, _, owner) => place(state, owner, 'busy'),
  'member.woke': (state, _, owner) => place(state, owner, 'busy'),
  'member.idled': (state, _, owner) => place(state, owner, 'resting'),
  'member.drained': ignore,
  'member.gone': (state, _, owner) => place(state, owner, 'gone'),
  // Another start follows, or the loss of the member.
  'member.crashed': (state, { member }) => place(state, member, 'busy'),
  'member.refused': (state, { member }) => place(state, member, 'gone'),
  'member.lost': (state, { member }) => place(state, member, 'lost'),
  'member.stopped'(state, { member }) {
    waiterOf(state, member).waits.clear()
    place(state, member, 'gone')
  },
  'agent.started': ignore,
  'agent.parked': (state, _, owner) => place(state, owner, 'resting'),
  'turn.continued': (state, _, owner) => place(state, owner, 'busy'),
  'agent.ended': ignore,
})

/** A wait that leads to nothing, and the words for whoever waits. */
interface VainWait {
  readonly member: string
  readonly wait: string
  readonly text: string
}

/**
 * Waits that will never end by themselves: for somebody who has ended, failed or was stopped, and in a ring. Of a ring the
 * youngest wait is named: when that member goes on, the others have what they wait for.
 */
export function vainWaits(state: TeamWaits): readonly VainWait[] {
  const resting = [...state.members].filter(([, { place: at, waits }]) => at === 'resting' && waits.size > 0)
  const stuck = resting.filter(([name]) => !isMoved(state, name))
  const dead = stuck.flatMap(([member, { waits }]) =>
    [...waits].flatMap(([wait, { of }]) =>
      !isAway(state, of) && waitedFor(state, of).length > 0 ? [] : [{ member, wait, text: endedText(state, of) }],
    ),
  )
  if (dead.length > 0) return dead
  const rings = stuck.flatMap(([member, { waits }]) =>
    [...waits].flatMap(([wait, { of, since }]) => {
      const ring = ringOver(state, member, of)
      return ring === null ? [] : [{ member, wait, text: ringText(ring), since }]
    }),
  )
  return rings.toSorted((a, b) => b.since - a.since).slice(0, 1)
}

/** Parts that are not answered in time, and the words for whoever waits. */
export function overdueParts({ parts, members }: TeamWaits, now: Millis): readonly VainWait[] {
  return [...parts.values()].flatMap(({ mail, by, to, request, deadline }) =>
    deadline !== null && deadline <= now && members.get(by)?.waits.has(mail) === true
      ? [
          {
            member: by,
            wait: mail,
            text: `${to} has not answered ${request} in time: ${request} is called off. ${goOnText}`,
          },
        ]
      : [],
  )
}

/** The part whose time is up next. */
export function nextDeadline({ parts }: TeamWaits): Millis | null {
  const deadlines = [...parts.values()].flatMap(({ deadline }) => deadline ?? [])
  return deadlines.length === 0 ? null : Math.min(...deadlines)
}

/** Parts that nobody waits for any more: their work has ended without them, or their asker is lost. */
export function strayParts({ parts, members }: TeamWaits): readonly OpenPart[] {
  return [...parts.values()].filter(({ mail, by }) => {
    const asker = members.get(by)
    return asker?.place === 'lost' || asker?.waits.has(mail) !== true
  })
}

/** Whether a member has this part at hand; null for one that reads no mail any more. */
export function hasAtHand(state: TeamWaits, { to, mail }: OpenPart): boolean | null {
  return isAway(state, to) ? null : state.members.get(to)?.tasks.atHand?.envelope.id === mail
}

/** For whom a member waits, in words for the faces of a run; empty when it does not. */
export function waitingFor({ members }: TeamWaits, member: string): readonly string[] {
  return [...new Set([...(members.get(member)?.waits.values() ?? [])].map(({ of }) => of))]
}

function waiterOf({ members }: TeamWaits, name: string): Waiter {
  return getOrMake(members, name, () => ({ place: 'absent', waits: new Map(), tasks: emptyTasks(), ended: null }))
}

/** The journal of a member tells of its mail at last; nobody reads that of a person. */
function land(
  { inFlight, early }: TeamWaits,
  { id, from }: { readonly id: string; readonly from: string | undefined },
): void {
  if (from !== personSender && !inFlight.delete(id)) early.add(id)
}

function place(state: TeamWaits, name: string, at: Waiter['place']): void {
  waiterOf(state, name).place = at
}

/** A word that was needed for one task is of no use to the next one. */
function turn({ tasks, waits }: Waiter, entry: Entry): void {
  const { atHand } = tasks
  nextTask(tasks, entry)
  if (atHand !== null && (tasks.atHand === null || debtOf(tasks.atHand.envelope) !== debtOf(atHand.envelope)))
    waits.clear()
}

/** Whether somebody moves on whom, at last, this member waits; the member itself counts, too. */
function isMoved(state: TeamWaits, name: string): boolean {
  const coming = new Set(state.inFlight.values())
  const reached = new Set([name])
  for (const each of reached) {
    if (canMove(state, each, coming)) return true
    for (const next of waitedFor(state, each)) reached.add(next)
  }
  return false
}

/** Whether a member does something, or will without anybody's word. */
function canMove(state: TeamWaits, name: string, coming: ReadonlySet<string>): boolean {
  if (isAway(state, name)) return false
  if (state.members.get(name)?.place === 'busy' || coming.has(name)) return true
  // A piece of it is about to be handed out, once more or for the first time, or to be counted.
  const owes =
    [...state.requests.values()].some(({ worker }) => isFor(state, name, worker)) ||
    [...state.parts.values()].some(({ to }) => to === name)
  return owes && waitedFor(state, name).length === 0
}

function isAway({ members }: TeamWaits, name: string): boolean {
  const at = members.get(name)?.place
  return at === 'gone' || at === 'lost'
}

/** A piece that is held may be meant for a card, and any replica takes it. */
function isFor({ cards }: TeamWaits, name: string, worker: string): boolean {
  return name === worker || cards.get(name) === worker
}

/** The members whose doings move this one: whom it asked or waits for, and who does what its own work builds on. */
function waitedFor(state: TeamWaits, name: string): readonly string[] {
  const { lead, members, requests } = state
  const waits = isAway(state, name) ? [] : [...(members.get(name)?.waits.values() ?? [])]
  const asked = waits.map(({ of }) => of)
  const begun = [...requests.values()].filter(({ held }) => !held).map(({ worker }) => worker)
  if (name === lead) return [...asked, ...begun]
  // A piece that is held for a member that is lost is handed to somebody else once its needs are met.
  const held = [...requests.values()].filter((request) => request.held && isFor(state, name, request.worker))
  // A piece that needs nothing more waits for a place among those that are at work.
  const needed = held.flatMap(({ needs }) => {
    const open = needs.flatMap((id) => requests.get(id)?.worker ?? [])
    return open.length > 0 ? open : begun
  })
  return [...asked, ...needed]
}

/** The members of a ring of waits, from a member over the one it waits for back to it; null when there is none. */
function ringOver(state: TeamWaits, start: string, first: string): readonly string[] | null {
  const paths: (readonly string[])[] = [[start, first]]
  const seen = new Set([first])
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of waitedFor(state, path.at(-1) ?? first)) {
      if (next === start) return [...path, start]
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return null
}

function ringText(ring: readonly string[]): string {
  const steps = ring.slice(1).map((next, index) => `${ring[index]} waits for ${next}`)
  return `You wait in a ring: ${steps.join(', ')}. Nobody in it would ever write. ${goOnText}`
}

function endedText({ members }: TeamWaits, name: string): string {
  const { place: at = 'absent', ended = null } = members.get(name) ?? {}
  const work = ended === null ? '' : ` Its work on ${ended.request} ended: ${ended.status}.`
  return `You wait for ${name} in vain: ${endings[at]}.${work} ${goOnText}`
}

const endings: Readonly<Record<Waiter['place'], string>> = {
  absent: 'it has nothing to do and will not write by itself',
  resting: 'it has ended its work and will not write by itself',
  busy: 'it does not come back',
  gone: 'it was stopped',
  lost: 'it failed and is not started again',
}

const goOnText =
  'Go on now: ask with SendMessage (question) whom you still need, or do without, and say in your answer what is missing.'
