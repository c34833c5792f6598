import type { Recorded } from '../../protocol/facts/entry.ts'
import type { IdleReason } from '../../protocol/facts/fact.ts'
import { callsOf, textOf, type Message } from '../../protocol/conversation/message.ts'
import { readEnding } from './call-ending.ts'
import { callLabel } from './call-label.ts'
import { emptySpending, spend, type Spending } from '../cost/cost.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { emptyTasks, isTask, nextTask, type TaskQueue } from '../../rules/conversation/task-queue.ts'
import { leaderName, memberName } from '../../protocol/words/ids.ts'
import type { Paid } from '../cost/paid.ts'
import type { Todo } from '../../protocol/work/todo.ts'
import { todosAfter } from '../member/arranged.ts'
import type { MemberStatus } from '../team/result.ts'

/** The present activity of one member, as a screen shows it. */
export interface MemberView {
  readonly name: string
  state: MemberStatus
  /** The activity of a busy member. */
  phase: 'thinking' | 'acting' | 'parked' | 'paused' | null
  /** The reason why an idle member waits. */
  rests: IdleReason | null
  /** The members whose word it needs. */
  waitingFor: readonly string[]
  /** The workers that have not answered yet, by the request that each was sent. */
  readonly requests: Map<string, string>
  /** The work that it was given. */
  readonly tasks: TaskQueue
  /** When a pause is over. */
  until: number | null
  /** When its state or its activity changed last. */
  since: number | null
  turn: number
  /** Labels of the calls that run now, by call id. */
  readonly running: Map<string, string>
  /** Labels of calls that were asked for and have not begun. */
  readonly asked: Map<string, string>
  /** The last call, where it ended otherwise than done: `exit 1: Bash(npm test)`. */
  ended: string | null
  /** Labels of calls that wait for somebody to allow or deny them, by call id. */
  readonly waiting: Map<string, string>
  readonly spending: Spending
  /** The todo list of the member. */
  todos: readonly Todo[]
  /** The latest text the member wrote. */
  text: string
  /** Why it crashed or was lost, or why its latest work failed; null from its next work on. */
  trouble: string | null
  /** A member that was not done when the run lost its leader. */
  interrupted: boolean
}

export type Roster = Map<string, MemberView>

/** A roster in which the named members have not started; others appear when they are heard of. */
export function emptyRoster(names: readonly string[] = []): Roster {
  return new Map(names.map((name) => [name, newcomer(name)]))
}

/** Takes one recorded fact into the roster; returns the member it is about, or null. */
export function applyRoster(roster: Roster, recorded: Recorded): MemberView | null {
  const { owner, entry } = recorded
  const name = 'member' in entry && typeof entry.member === 'string' ? entry.member : owner
  const before = stateText(roster.get(name))
  step(roster, recorded)
  const view = roster.get(name)
  if (view && stateText(view) !== before) view.since = entry.at
  const todos = todosAfter(entry)
  if (todos !== undefined) viewOf(roster, owner).todos = todos
  return view ?? null
}

function stateText(view: MemberView | undefined): string {
  return view ? `${view.state} ${view.phase} ${view.turn}` : ''
}

/** The call to show for a member: the oldest that runs, and how many run beside it. */
export function currentCall(view: MemberView): { label: string; others: number } | null {
  const [label] = view.running.values()
  return label === undefined ? null : { label, others: view.running.size - 1 }
}

function newcomer(name: string): MemberView {
  return {
    name,
    state: 'not_started',
    phase: null,
    rests: null,
    waitingFor: [],
    requests: new Map(),
    tasks: emptyTasks(),
    until: null,
    since: null,
    turn: 0,
    running: new Map(),
    ended: null,
    asked: new Map(),
    waiting: new Map(),
    spending: emptySpending(),
    todos: [],
    text: '',
    trouble: null,
    interrupted: false,
  }
}

const step = foldOver<
  Roster,
  | 'life'
  | 'loop'
  | 'conversation'
  | 'model'
  | 'consultation'
  | 'recovery'
  | 'call'
  | 'permission'
  | 'work'
  | 'mail'
  | 'request'
>({
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': (roster, _, owner) => {
    viewOf(roster, owner).phase = 'parked'
  },
  'agent.ended': (roster, { failure }, owner) => {
    Object.assign(viewOf(roster, owner), { phase: null, ...(failure && { trouble: failure.message }) })
  },
  'message.appended': (roster, { message }, owner) => hear(viewOf(roster, owner), message),
  'message.tombstoned': ignore,
  'model.requested': (roster, { turn }, owner) => {
    Object.assign(viewOf(roster, owner), { phase: 'thinking', turn })
  },
  'model.settled': pay,
  'model.consulted': pay,
  'model.retried': pay,
  'model.given_up': pay,
  'model.paused': (roster, { until }, owner) => {
    Object.assign(viewOf(roster, owner), { phase: 'paused', until })
  },
  'model.waiting': ignore,
  'model.resumed': (roster, _, owner) => {
    Object.assign(viewOf(roster, owner), { phase: 'thinking', until: null })
  },
  'model.fell_back': ignore,
  'model.conceded': ignore,
  'cache.extended': ignore,
  'model.counted': ignore,
  'model.described': ignore,
  'breaker.opened': ignore,
  'breaker.closed': ignore,
  'permission.requested': (roster, { call_id, tool }, owner) => {
    const { asked, running, waiting } = viewOf(roster, owner)
    waiting.set(call_id, asked.get(call_id) ?? running.get(call_id) ?? tool)
  },
  'permission.decided': (roster, { call_id }, owner) => {
    viewOf(roster, owner).waiting.delete(call_id)
  },
  'call.started': (roster, { call_id, tool }, owner) => {
    const view = viewOf(roster, owner)
    view.phase = 'acting'
    view.ended = null
    view.running.set(call_id, view.asked.get(call_id) ?? tool)
    view.asked.delete(call_id)
  },
  'call.finished': (roster, entry, owner) => {
    const view = viewOf(roster, owner)
    const label = view.running.get(entry.call_id)
    const { state, word } = readEnding(entry)
    if (label !== undefined) view.ended = state === 'done' ? null : `${word === '' ? state : word}: ${label}`
    endCall(roster, entry, owner)
  },
  'model.escalated': ignore,
  'skill.opened': ignore,
  'plan.entered': ignore,
  'plan.approved': ignore,
  'todos.changed': ignore,
  'verify.started': (roster, { call_id, command }, owner) => {
    const view = viewOf(roster, owner)
    view.phase = 'acting'
    view.running.set(call_id, `check ${command}`)
  },
  'verify.settled': endCall,
  'member.spawned': (roster, { member }) => become(roster, member, 'starting'),
  'member.started': (roster, _, owner) => become(roster, owner, 'starting'),
  'member.woke': (roster, _, owner) => {
    become(roster, owner, 'busy')
    viewOf(roster, owner).trouble = null
  },
  'member.idled': (roster, { reason = null, waiting_for = [] }, owner) => {
    become(roster, owner, 'idle')
    Object.assign(viewOf(roster, owner), { rests: reason, waitingFor: waiting_for })
  },
  'member.drained': (roster, _, owner) => become(roster, owner, 'draining'),
  'member.gone': (roster, _, owner) => become(roster, owner, 'gone'),
  'member.crashed': (roster, { member, error }) => fall(roster, member, error),
  'member.lost': (roster, { member, reason }) => fall(roster, member, reason),
  'member.refused': ignore,
  'mail.sent': (roster, { envelope }, owner) => {
    const { kind, request = '', reply_to, to } = envelope
    if (isTask(envelope) && request !== '') viewOf(roster, owner).requests.set(request, memberName(to))
    // A part that is called off is waited for no longer.
    if (kind === 'control' && reply_to !== undefined) settle(roster, request)
  },
  'mail.received': (roster, entry, owner) => {
    const { kind, request = '' } = entry.envelope
    if (kind === 'answer') settle(roster, request)
    // The mailbox of the team is that of its board: its leader is no member.
    if (owner === leaderName) return
    nextTask(viewOf(roster, owner).tasks, entry)
  },
  'mail.handled': ignore,
  'mail.died': ignore,
  'member.replied': (roster, entry, owner) => void nextTask(viewOf(roster, owner).tasks, entry),
  'request.held': ignore,
  'request.opened': ignore,
  'request.settled': (roster, { request }) => settle(roster, request),
  'member.stopped': (roster, { member }) => become(roster, member, 'gone'),
})

function settle(roster: Roster, request: string): void {
  for (const { requests } of roster.values()) requests.delete(request)
}

function viewOf(roster: Roster, name: string): MemberView {
  return getOrMake(roster, name, newcomer)
}

function pay(roster: Roster, paid: Paid, owner: string): void {
  spend(viewOf(roster, owner).spending, paid)
}

function endCall(roster: Roster, { call_id }: { readonly call_id: string }, owner: string): void {
  const { running, waiting } = viewOf(roster, owner)
  running.delete(call_id)
  waiting.delete(call_id)
}

function become(roster: Roster, name: string, state: MemberStatus): void {
  const view = viewOf(roster, name)
  view.state = state
  view.interrupted = false
  if (state !== 'busy') view.phase = null
  if (state === 'crashed' || state === 'gone')
    for (const calls of [view.running, view.asked, view.waiting]) calls.clear()
}

function fall(roster: Roster, name: string, trouble: string): void {
  become(roster, name, 'crashed')
  viewOf(roster, name).trouble = trouble
}

function hear(view: MemberView, message: Message): void {
  if (message.role !== 'assistant') return
  const text = textOf(message).trim()
  if (text !== '') view.text = text
  view.ended = null
  view.asked.clear()
  for (const call of callsOf(message)) view.asked.set(call.id, callLabel(call.name, call.input))
}

/** The members whose word a member waits for, in words; null when there are none. */
export function waitText({ state, phase, waitingFor, requests, interrupted }: MemberView): string | null {
  if (interrupted) return null
  const sent = phase === 'parked' ? [...new Set(requests.values())] : []
  const names = state === 'idle' ? waitingFor : sent
  return names.length > 0 ? `waiting for ${names.join(', ')}` : null
}

/** A part of the work of another worker; `depth`: its distance from the coordinator, whose own requests have 1. */
export interface WorkPart {
  readonly for: string
  readonly depth: number
}

/** The part of another worker's work that a member does; null when it does none. */
export function partOf({ tasks: { atHand } }: MemberView): WorkPart | null {
  const chain = atHand?.envelope.chain ?? []
  const [asker] = chain.slice(-1)
  return asker === undefined ? null : { for: asker, depth: chain.length + 1 }
}

/** The same in words: `for ana (depth 2)`. */
export function partText(part: WorkPart): string {
  return `for ${part.for} (depth ${part.depth})`
}

/** The present activity of a member, in a word. */
export function doing(view: MemberView): string {
  if (view.waiting.size > 0) return 'asks you'
  if (view.interrupted) return 'interrupted'
  if (view.state === 'idle' && view.trouble !== null) return 'failed'
  if (view.state === 'idle' && view.rests !== null && view.rests !== 'nothing_to_do') return 'waiting'
  if (view.state !== 'busy') return view.state === 'not_started' ? '-' : view.state
  const words = { thinking: 'thinking', acting: 'acting', parked: 'waiting', paused: 'paused' } as const
  return view.phase === null ? 'busy' : words[view.phase]
}
