import { transition, type EventObject, type SnapshotFrom } from 'xstate'
import type { teamMachine } from '../../../machines/team/team.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { HopelessStart } from '../../protocol/team/executor.ts'
import type { Survey } from '../../protocol/port.ts'
import { tell } from '../actors/spawn.ts'
import { factOf, isSame } from './difference.ts'
import type { PortQuestion } from './port-questions.ts'
import type { ReplayedLeader, ReplayedRoot } from './replayed-leader.ts'
import type { Move } from './replayed-member.ts'
import type { Tape } from './tape.ts'
import { toldTo } from './told-leader.ts'
import { rootOf, type TeamRoot } from './team-origins.ts'

/*
 * The answers of the ports of a team's own machines, and what these machines are told by no journal, as the fact that follows
 * shows them. Whether an answer leads to that fact is asked of the machine itself: its step is tried before it is taken.
 */

/** An event that may have come next, and the act that brings it. */
interface Option {
  readonly event: EventObject
  act(): void
}

/**
 * The next thing that a root hears; null when nothing leads to its next fact.
 * @param of the root that states the next fact of all, when left out
 */
export function leaderMove(leader: ReplayedLeader, tape: Tape, of?: TeamRoot): Move | null {
  const { root, coming } = rootAt(leader, tape, of)
  const [next] = coming
  if (!next || !root) return null
  const options = optionsOf(root, next, tape)
  const told = options.find((option) => leadsTo(tried(root, option), coming.map(factOf)))
  if (told) return told.act
  return options.find((option) => isQuietStep(root, option, next))?.act ?? null
}

/** The fact that the machine would state instead, as far as it can be told. */
export function insteadOf(leader: ReplayedLeader, tape: Tape): Fact | null {
  const { root, coming } = rootAt(leader, tape)
  const [next] = coming
  if (!next || !root) return null
  const facts = optionsOf(root, next, tape).flatMap((option) => tried(root, option).facts.slice(0, 1))
  return facts.find(({ type }) => type === next.type) ?? facts[0] ?? null
}

/** A root, and the facts from here that it states. */
function rootAt(leader: ReplayedLeader, tape: Tape, of?: TeamRoot) {
  const next = tape.next()
  const id = of ?? (next && rootOf(next)) ?? null
  return { root: id === null ? undefined : leader.root(id), coming: id === null ? [] : comingOf(tape, id) }
}

/** The next facts that this root states: as many as one step may. */
export function comingOf(tape: Tape, root: TeamRoot, most = 50): readonly Entry[] {
  const coming: Entry[] = []
  for (let n = 0, entry = tape.next(n); entry !== undefined && coming.length < most; entry = tape.next((n += 1))) {
    if (rootOf(entry) === root) coming.push(entry)
  }
  return coming
}

interface Tried {
  readonly facts: readonly Fact[]
  readonly changes: boolean
  /** The end that the team came to in this step. */
  readonly end: { readonly status: string; readonly reason: string } | null
}

function tried({ actor }: ReplayedRoot, { event }: Option): Tried {
  const before = actor.getSnapshot() as SnapshotFrom<typeof teamMachine>
  if (before.status !== 'active') return { facts: [], changes: false, end: null }
  const [after, actions] = transition(actor.logic, before, event) as unknown as [
    typeof before,
    readonly { readonly type: string; readonly params?: { readonly event?: unknown } }[],
  ]
  const facts = actions.flatMap(({ type, params }) => (type === 'xstate.emit' ? [params?.event as Fact] : []))
  const changes = after.context !== before.context || JSON.stringify(after.value) !== JSON.stringify(before.value)
  const isEnd = isEnding(after.value) && !isEnding(before.value)
  return { facts: facts.map(asWritten), changes, end: isEnd ? after.context : null }
}

const asWritten = (fact: Fact): Fact => JSON.parse(JSON.stringify(fact)) as Fact

function isEnding(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ending' in value
}

function leadsTo({ facts }: Tried, coming: readonly Fact[]): boolean {
  return facts.length > 0 && facts.every((fact, index) => index >= coming.length || isSame(coming[index] ?? fact, fact))
}

/** A step towards the fact that states nothing itself. The end of a run is begun only for the end that was recorded. */
function isQuietStep(root: ReplayedRoot, option: Option, next: Entry): boolean {
  const { facts, changes, end } = tried(root, option)
  if (facts.length > 0 || !changes) return false
  if (end === null) return true
  if (next.type !== 'team.ended') return false
  const isSpoilt = end.status === 'completed' && next.status !== 'completed'
  return isSpoilt || (end.status === next.status && end.reason === next.reason)
}

/** A timer of the system may go off that much before its time. */
const early = 100

function optionsOf({ actor, questions, timers }: ReplayedRoot, next: Entry, tape: Tape): readonly Option[] {
  const words = toldTo(actor.id, next).map((event) => ({ event, act: () => tell(actor, event) }))
  const answers = [...questions].flatMap((question) => answersTo(question, next, tape))
  const isDue = ({ event }: { readonly event: EventObject }): boolean =>
    !('at' in event) || typeof event.at !== 'number' || event.at <= next.at + early
  const due = timers()
    .filter(isDue)
    .map(({ event, fire }) => ({ event, act: fire }))
  return [...answers, ...due, ...words]
}

function answersTo(question: PortQuestion, next: Entry, tape: Tape): readonly Option[] {
  switch (question.name) {
    case 'spawnMember':
      return [
        ...(next.type === 'member.crashed' && next.member === question.input.member
          ? [failed(question, next.error), failed(question, new HopelessStart(next.error))]
          : []),
        answered(question, undefined),
      ]
    case 'terminateMember': {
      const lost = `${question.input.member} was not terminated: `
      return [...failedWith(question, next, lost), answered(question, undefined)]
    }
    case 'survey':
      return surveyFor(next).map((survey) => answered(question, survey))
    case 'nudgeLead':
      return [...endedBy(question, next), answered(question, undefined)]
    case 'collect':
      return [...endedBy(question, next), ...collected(question, next)]
    case 'handOut':
      return handedOut(question, next, tape)
    case 'recall':
      return failedWith(question, next, `${question.input.request} could not be called off: `)
    case 'evidence':
      return evidenceFor(question, next)
    default:
      return []
  }
}

type Answerable<Output> = Pick<PortQuestion, 'id' | 'reject'> & { answer(output: Output): void }

function answered<Output>(question: Answerable<Output>, output: Output): Option {
  const { id } = question
  const event = { type: `xstate.done.actor.${id}`, output, actorId: id }
  return { event, act: () => question.answer(output) }
}

function failed(question: Pick<PortQuestion, 'id' | 'reject'>, reason: string | Error): Option {
  const { id } = question
  const error = typeof reason === 'string' ? new Error(reason) : reason
  return {
    event: { type: `xstate.error.actor.${id}`, error, actorId: id } as EventObject,
    act: () => question.reject(error),
  }
}

/** The failure that a warning tells of in these words. */
function failedWith(question: PortQuestion, next: Entry, words: string): readonly Option[] {
  const isMeant = next.type === 'warning.raised' && next.message.startsWith(words)
  return isMeant ? [failed(question, next.message.slice(words.length))] : []
}

/** The failure of a port that ended the run. */
function endedBy(question: PortQuestion, next: Entry): readonly Option[] {
  const words = `${question.id}: `
  const isMeant = next.type === 'team.ended' && next.reason.startsWith(words)
  return isMeant ? [failed(question, next.reason.slice(words.length))] : []
}

const nobody: Survey = { members: [], pendingPermissions: 0, open: [] }

function surveyFor(next: Entry): readonly Survey[] {
  switch (next.type) {
    case 'lead.nudged':
      return [{ ...nobody, open: next.open }]
    case 'team.ended':
      return [nobody, { ...nobody, open: ['work'] }]
    case 'member.spawned':
    case 'member.refused':
      return [{ ...nobody, members: [{ name: next.member, busy: false, undelivered: 1 }] }]
    default:
      return []
  }
}

function collected(question: Extract<PortQuestion, { name: 'collect' }>, next: Entry): readonly Option[] {
  if (next.type !== 'team.ended') return []
  const { status, reason, result, afterwards } = next
  const report = { result, ...(afterwards === undefined ? {} : { afterwards }) }
  return [answered(question, report), answered(question, { ...report, flaw: { status, reason } })]
}

const unsent = 'could not be handed out: '

function handedOut(question: Extract<PortQuestion, { name: 'handOut' }>, next: Entry, tape: Tape): readonly Option[] {
  const { request, attempt } = question.input
  if (next.type === 'request.opened' && next.request === request && next.attempt === attempt)
    return [answered(question, { mail_id: next.mail_id })]
  for (let n = 0, entry = tape.next(n); entry !== undefined; entry = tape.next((n += 1))) {
    if (!('request' in entry) || entry.request !== request) continue
    const reason = troubleIn(entry)
    return reason.startsWith(unsent) ? [failed(question, reason.slice(unsent.length))] : []
  }
  return []
}

function troubleIn(entry: Entry): string {
  if (entry.type === 'request.opened') return entry.instead_of?.reason ?? ''
  return entry.type === 'request.settled' ? (entry.reason ?? '') : ''
}

function evidenceFor(question: Extract<PortQuestion, { name: 'evidence' }>, next: Entry): readonly Option[] {
  if (next.type !== 'task.refused') return [answered(question, { ok: true })]
  const reason = next.reason.replace(/^Task \d+: /, '')
  const lost = 'the evidence could not be checked: '
  if (reason.startsWith(lost)) return [failed(question, reason.slice(lost.length))]
  return [answered(question, { ok: false, reason })]
}
