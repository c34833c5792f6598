import type { TerminalReason } from '../../protocol/conversation/agent-event.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { memberName, type AgentId } from '../../protocol/words/ids.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import { applyCost, emptyCost, emptySpending, type Cost } from '../cost/cost.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { advisorOf } from '../../rules/team/advice.ts'
import { callsOf, type AssistantMessage, type Message } from '../../protocol/conversation/message.ts'
import { noWords, wordsAfter, type Words } from '../../rules/conversation/cut-answer.ts'
import { lastWord } from '../../rules/conversation/escalation.ts'
import { isGatherNote } from '../../rules/team/gather-note.ts'

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
  /** Each question to an advisor stands for itself. */
  'model.consulted': (state, { purpose }, owner) => {
    if (purpose === 'advice') askingOf(state, advisorOf(owner)).asked = 1
  },
})

function askingOf(state: Asked, owner: string): Asking {
  return getOrMake(state, owner, () => ({ answers: 0, asked: 0 }))
}

/** A text of the lead that may be the result; `delegates` says that its message also handed out work. */
interface Candidate {
  /** Of the messages that hold it: more than one where it came in pieces. */
  readonly ids: readonly string[]
  readonly words: Words
  readonly delegates: boolean
}

interface AnswerState {
  readonly lead: string
  readonly open: Set<string>
  /** A round is over, and the lead was not told yet: what it says does not rest on the results. */
  news: boolean
  readonly candidates: Candidate[]
  /** The lead was told to report: its budget has run out. */
  told: boolean
  /** The words of the lead since it was told to report. */
  report: Words
}

/** The result rule as a fold: feed it every recorded fact, read `answer()` whenever needed. */
interface AnswerFold {
  apply(recorded: Recorded): void
  answer(): string | null
}

/**
 * The result of a run: the lead's last non-empty text that was not written while requests were outstanding.
 * A text that announces work (its message calls `Delegate` and a request was opened) is a plan, not a result;
 * nor is anything that a failed or aborted model call left half written. The report of a lead whose budget ran out is the result although requests are outstanding.
 *
 * @param lead the coordinator's member name
 * @example
 * const fold = answerFold('lead')
 * for (const recorded of journal) fold.apply(recorded)
 * fold.answer() // 'The release has three themes …' or null
 */
export function answerFold(lead: string): AnswerFold {
  const state: AnswerState = { lead, open: new Set(), news: false, candidates: [], told: false, report: noWords }
  return {
    apply: (recorded) => applyAnswer(state, recorded),
    answer() {
      const last = state.candidates.at(-1)
      return state.report.text.trim() || (last ? lastWord(last.words.text) : null)
    },
  }
}

const applyAnswer = foldOver<AnswerState, 'loop' | 'conversation' | 'request' | 'gather'>({
  'agent.started': (state, _, owner) => {
    if (owner === state.lead) state.told = false
  },
  'turn.continued': (state, { reason }, owner) => {
    if (owner === state.lead && reason === 'wind_down') state.told = true
  },
  'agent.parked': ignore,
  'agent.ended': ignore,
  'message.appended': (state, { id, message }, owner) => {
    const { lead, open, candidates, told, report } = state
    if (owner !== lead) return
    if (told) state.report = wordsAfter(report, message)
    if (isGatherNote(message)) state.news = false
    if (open.size > 0 || state.news) return
    const last = candidates.at(-1)
    const candidate = last?.words.goesOn ? extended(last, id, message) : candidateOf(id, message)
    if (last?.words.goesOn) candidates.pop()
    if (candidate) candidates.push(candidate)
  },
  'message.tombstoned': ({ lead, candidates }, { target }, owner) => {
    const index = candidates.findLastIndex(({ ids }) => ids.includes(target))
    if (owner === lead && index >= 0) candidates.splice(index, 1)
  },
  'request.held': opened,
  'request.opened': opened,
  'request.settled': ({ open }, { request }) => {
    open.delete(request)
  },
  'gather.opened': ignore,
  'gather.settled': (state) => {
    state.news = true
  },
  'coordinator.moved': ignore,
  'lead.nudged': ignore,
})

function opened({ open, candidates }: AnswerState, { request }: { readonly request: string }): void {
  open.add(request)
  if (candidates.at(-1)?.delegates === true) candidates.pop()
}

function candidateOf(id: string, message: Message): Candidate | null {
  if (message.role !== 'assistant' || message.stop === 'error' || message.stop === 'aborted') return null
  const words = wordsAfter(noWords, message)
  return words.text === '' ? null : { ids: [id], words, delegates: delegates(message) }
}

/** The candidate with what was said next, should that belong to it. */
function extended(candidate: Candidate, id: string, message: Message): Candidate {
  const words = wordsAfter(candidate.words, message)
  if (message.role !== 'assistant') return { ...candidate, words }
  return { ids: [...candidate.ids, id], words, delegates: candidate.delegates || delegates(message) }
}

function delegates(message: AssistantMessage): boolean {
  return callsOf(message).some((call) => call.name === 'Delegate')
}

/** Without the digits that adding binary fractions makes up: a billionth of a dollar is nobody's price. */
function exact(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1e9) / 1e9
}
