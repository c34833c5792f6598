import type { TerminalReason } from '../../protocol/conversation/agent-event.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { memberName, type AgentId } from '../../protocol/words/ids.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import { applyCost, emptyCost, emptySpending, type Cost } from '../cost/cost.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { extractorOf } from '../../rules/memory/extraction.ts'
import { summariserOf } from '../../rules/conversation/summary-text.ts'
import { advisorOf } from '../../rules/team/advice.ts'

export type MemberStatus = RunResult['members'][number]['status']

/** How one member stands at the end: its state and why its latest piece of work ended. */
interface MemberTally {
  status: MemberStatus
  reason: TerminalReason | null
  /** The failure that ended the member's latest piece of work. */
  failure: Failure | null
}

/** Counts about all members, for the result of a run. */
export interface Tally {
  readonly members: Map<string, MemberTally>
  readonly cost: Cost
  readonly asked: Asked
}

export function emptyTally(): Tally {
  return { members: new Map(), cost: emptyCost(), asked: new Map() }
}

/** Takes one recorded fact into the tally. */
export function applyTally(tally: Tally, recorded: Recorded): void {
  applyCost(tally.cost, recorded)
  step(tally, recorded)
  applyAsked(tally.asked, recorded)
}

const step = foldOver<Tally, 'life' | 'loop'>({
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': (tally, { reason, failure = null }, owner) => {
    Object.assign(tallyOf(tally, owner), { reason, failure })
  },
  'member.spawned': (tally, { member }) => become(tally, member, 'starting'),
  'member.started': (tally, _, owner) => become(tally, owner, 'starting'),
  'member.woke': (tally, _, owner) => become(tally, owner, 'busy'),
  'member.idled': (tally, _, owner) => become(tally, owner, 'idle'),
  'member.drained': (tally, _, owner) => become(tally, owner, 'draining'),
  'member.gone': (tally, _, owner) => become(tally, owner, 'gone'),
  'member.crashed': (tally, { member }) => become(tally, member, 'crashed'),
  'member.lost': (tally, { member }) => become(tally, member, 'crashed'),
  'member.refused': ignore,
  'member.stopped': (tally, { member }) => become(tally, member, 'gone'),
})

function tallyOf(tally: Tally, name: string): MemberTally {
  return getOrMake(tally.members, name, () => ({ status: 'not_started', reason: null, failure: null }))
}

function become(tally: Tally, name: string, status: MemberStatus): void {
  tallyOf(tally, name).status = status
}

/**
 * The `members`, `usage` and `cost_usd` of a run's result; members that never started are listed too.
 *
 * `resultOf(tally, ['lead@notes', 'writer@notes'])` → `{ members: [...], usage: {...}, cost_usd: 0.12 }`
 */
export function resultOf(tally: Tally, ids: readonly AgentId[]): Pick<RunResult, 'members' | 'usage' | 'cost_usd'> {
  const members = ids.map((id) => {
    const name = memberName(id)
    const { status, reason } = tally.members.get(name) ?? { status: 'not_started', reason: null }
    const { answers, usage, cost_usd } = tally.cost.members.get(name) ?? emptySpending()
    return { id, status, turns: answers, reason, usage, cost_usd: exact(cost_usd) }
  })
  return { members, usage: tally.cost.total.usage, cost_usd: exact(tally.cost.total.cost_usd) }
}

interface Asking {
  /** Answers in the conversation. */
  answers: number
  /** Answers that were ever asked for, counted by their place in the conversation. */
  asked: number
}

/** How far each member has asked its model, over all its lives and wherever it lives. */
type Asked = Map<string, Asking>

const applyAsked = foldOver<Asked, 'conversation' | 'model' | 'consultation'>({
  'message.appended': (state, { message }, owner) => {
    if (message.role === 'assistant') askingOf(state, owner).answers += 1
  },
  'message.tombstoned': ignore,
  'model.requested': (state, _, owner) => {
    const asking = askingOf(state, owner)
    asking.asked = Math.max(asking.asked, asking.answers + 1)
  },
  'model.settled': ignore,
  /** Each question to an advisor stands for itself, and so does each summary. */
  'model.consulted': (state, { purpose }, owner) => {
    if (purpose === 'advice') askingOf(state, advisorOf(owner)).asked = 1
    if (purpose === 'memory') askingOf(state, extractorOf(owner)).asked += 1
    if (purpose === 'summary') askingOf(state, summariserOf(owner)).asked = 1
  },
})

function askingOf(state: Asked, owner: string): Asking {
  return getOrMake(state, owner, () => ({ answers: 0, asked: 0 }))
}

/** Without the digits that adding binary fractions makes up: a billionth of a dollar is nobody's price. */
function exact(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1e9) / 1e9
}
