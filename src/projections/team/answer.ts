import { orderlyReasons } from '../../protocol/conversation/agent-event.ts'
import { callsOf, textOf, type Message } from '../../protocol/conversation/message.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { noWords, wordsAfter, type Words } from '../../rules/conversation/cut-answer.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import { endWaits, type Awaited } from './obligations.ts'
import { endTextsAfter, endTextsWithout, markedText, reportText, type EndText } from '../fold/end-texts.ts'
import { isGatherNote } from '../../rules/team/gather-note.ts'
import { foldOver, ignore } from '../fold/fold.ts'

/** The result of a run, and what its lead said after it. */
export interface RunAnswer {
  readonly result: string | null
  readonly afterwards: string[]
}

interface AnswerState {
  readonly lead: string
  /** Requests without an ending. */
  readonly open: Set<string>
  /** A round is over, and the lead was not told yet: what it says does not rest on the results. */
  news: boolean
  /** Words that the lead needs: answers to its questions, by their mail, and those of members that it waits for. */
  readonly asked: Map<string, Awaited>
  /** Members that the lead has written to, and that have not written back. */
  readonly addressed: Set<string>
  /** The texts that are the answer, as far as it is written. */
  texts: readonly EndText[]
  /** The answer before something came that changes it; it counts when the lead says nothing more. */
  before: readonly EndText[]
  /** The latest texts beside calls: the last one is the answer of a lead that never ended a turn with one. */
  beside: readonly Beside[]
  /** The lead has ended its work with the answer: what it says from now on stands beside it. */
  stands: boolean
  /** Requests of the time after that: their results do not change the answer. */
  readonly later: Set<string>
  afterwards: readonly EndText[]
  /** The lead was told to report: its budget has run out. */
  told: boolean
  /** The words of the lead since it was told to report. */
  report: Words
}

/** A text beside calls; `delegates`: one of these hands out work, and once it has, the text is a plan. */
interface Beside extends EndText {
  readonly delegates: boolean
}

/** The result rule as a fold: feed it every recorded fact, read `answer()` whenever needed. */
interface AnswerFold {
  apply(recorded: Recorded): void
  answer(): RunAnswer
}

/**
 * The result of a run: the texts with which the lead ended its turns on the task, written while no request and no question
 * of its own was open. Once its work has ended with such a text, that is the answer, whatever it says to others
 * afterwards. What changes the work makes the lead answer anew: the work is taken up again by a person, a result or an
 * amendment of earlier work comes, the lead is reminded of open work. The report of a lead whose budget ran out is the
 * result although requests are out.
 *
 * @param lead the coordinator's member name
 * @example
 * const fold = answerFold('lead')
 * for (const recorded of journal) fold.apply(recorded)
 * fold.answer().result // 'The release has three themes …' or null
 */
export function answerFold(lead: string): AnswerFold {
  const state: AnswerState = {
    lead,
    open: new Set(),
    news: false,
    asked: new Map(),
    addressed: new Set(),
    texts: [],
    before: [],
    beside: [],
    stands: false,
    later: new Set(),
    afterwards: [],
    told: false,
    report: noWords,
  }
  return {
    apply: (recorded) => applyAnswer(state, recorded),
    answer() {
      const { report, texts, before, beside, afterwards } = state
      const candidates = [texts, before, beside.slice(-1)].map(markedText)
      const result = report.text.trim() || candidates.find((text) => text !== '') || null
      return { result, afterwards: afterwards.map((text) => markedText([text])) }
    },
  }
}

const applyAnswer = foldOver<
  AnswerState,
  'loop' | 'conversation' | 'mail' | 'answering' | 'request' | 'gather' | 'run'
>({
  'agent.started': (state, _, owner) => {
    if (owner === state.lead) state.told = false
  },
  'turn.continued': (state, { reason }, owner) => {
    if (owner === state.lead && reason === 'wind_down') state.told = true
  },
  'agent.parked': ignore,
  'agent.ended': (state, { reason }, owner) => {
    if (owner !== state.lead || state.texts.length === 0 || !orderlyReasons.includes(reason)) return
    // Words beside a question of its own are none on the task.
    if (state.asked.size > 0) answerAnew(state)
    else if (state.open.size === 0 && !state.news) state.stands = true
  },
  'message.appended': (state, { id, message }, owner) => {
    if (owner === state.lead) note(state, id, message)
  },
  'message.tombstoned': (state, { target }, owner) => {
    if (owner !== state.lead) return
    for (const list of ['texts', 'before', 'afterwards'] as const) state[list] = endTextsWithout(state[list], target)
    state.beside = state.beside.filter(({ ids }) => !ids.includes(target))
  },
  'mail.sent': ({ lead, asked, addressed }, { envelope: { kind, id, to } }, owner) => {
    if (owner !== lead) return
    if (kind === 'question') asked.set(id, { of: memberName(to), kind })
    if (kind === 'text') addressed.add(to)
  },
  'mail.received': (state, { envelope }, owner) => {
    if (owner !== state.lead) return
    endWaits(state.asked, envelope)
    if (envelope.kind === 'text') hearText(state, envelope.from)
    if (changesAnswer(state, envelope)) answerAnew(state)
  },
  'mail.handled': ignore,
  'mail.died': ignore,
  'member.replied': ignore,
  'member.waits': ({ lead, asked }, { wait, for: of }, owner) => {
    if (owner === lead) asked.set(wait, { of, kind: 'wait' })
  },
  'member.reported': (state, { id, text }, owner) => {
    if (owner !== state.lead) return
    state.asked.clear()
    if (state.stands) state.afterwards = [...state.afterwards, reportText(id, text)]
    else state.texts = [...state.texts, reportText(id, text)]
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
  'lead.nudged': answerAnew,
  'team.started': ignore,
  'team.resumed': ignore,
  'team.ended': ignore,
  'team.reopened': (state) => {
    answerAnew(state)
    state.afterwards = []
  },
})

/** A lead that coordinates by mail goes on when one that it wrote to, or another for that one, writes: that is answer, too. */
function hearText(state: AnswerState, from: Envelope['from']): void {
  if (from === personSender || state.addressed.size === 0) return
  state.addressed.delete(from)
  state.stands = false
}

function opened(state: AnswerState, { request }: { readonly request: string }): void {
  state.open.add(request)
  if (state.beside.at(-1)?.delegates) state.beside = state.beside.slice(0, -1)
  if (state.stands) state.later.add(request)
  else if (state.texts.length > 0) answerAnew(state)
}

/** A result that the answer was written without. */
function changesAnswer({ later }: AnswerState, { kind, status = 'done', request = '' }: Envelope): boolean {
  return kind === 'result' && status === 'done' && !later.has(request)
}

function answerAnew(state: AnswerState): void {
  if (state.texts.length > 0) state.before = state.texts
  Object.assign(state, { texts: [], stands: false })
  state.later.clear()
}

function note(state: AnswerState, id: string, message: Message): void {
  const { open, told, stands } = state
  if (isGatherNote(message)) state.news = false
  if (told) state.report = wordsAfter(state.report, message)
  if (stands) state.afterwards = endTextsAfter(state.afterwards, id, message)
  else if (open.size === 0 && !state.news) {
    state.texts = endTextsAfter(state.texts, id, message)
    state.beside = [...state.beside, ...besideCalls(id, message)].slice(-keptBeside)
  }
}

/** Only the last one counts; earlier ones come up again where a person takes messages back. */
const keptBeside = 50

function besideCalls(id: string, message: Message): readonly Beside[] {
  if (message.role !== 'assistant' || message.stop === 'error' || message.stop === 'aborted') return []
  const calls = callsOf(message)
  if (textOf(message).trim() === '' || calls.length === 0) return []
  const delegates = calls.some(({ name }) => name === 'Delegate')
  return [{ ids: [id], words: wordsAfter(noWords, message), delegates }]
}
