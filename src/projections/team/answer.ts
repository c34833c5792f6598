import type { Recorded } from '../../protocol/facts/entry.ts'
import { callsOf, type AssistantMessage, type Message } from '../../protocol/conversation/message.ts'
import { noWords, wordsAfter, type Words } from '../../rules/conversation/cut-answer.ts'
import { lastWord } from '../../rules/conversation/escalation.ts'
import { wantsMore } from '../../rules/team/gather-note.ts'
import { foldOver, ignore } from '../fold/fold.ts'

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
 * so is one that asks for more work, and so is nothing that a failed or aborted model call left half written. The report
 * of a lead whose budget ran out is the result although requests are outstanding.
 *
 * @param lead the coordinator's member name
 * @example
 * const fold = answerFold('lead')
 * for (const recorded of journal) fold.apply(recorded)
 * fold.answer() // 'The release has three themes …' or null
 */
export function answerFold(lead: string): AnswerFold {
  const state: AnswerState = { lead, open: new Set(), candidates: [], told: false, report: noWords }
  return {
    apply: (recorded) => step(state, recorded),
    answer() {
      const last = state.candidates.at(-1)
      return state.report.text.trim() || (last ? lastWord(last.words.text) : null)
    },
  }
}

const step = foldOver<AnswerState, 'loop' | 'conversation' | 'request'>({
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
    if (open.size > 0) return
    const last = candidates.at(-1)
    const candidate = last?.words.goesOn ? extended(last, id, message) : candidateOf(id, message)
    if (last?.words.goesOn) candidates.pop()
    if (candidate) candidates.push(candidate)
  },
  'message.tombstoned': ({ lead, candidates }, { target }, owner) => {
    const index = candidates.findLastIndex(({ ids }) => ids.includes(target))
    if (owner === lead && index >= 0) candidates.splice(index, 1)
  },
  'request.held': asked,
  'request.opened': asked,
  'request.settled': ({ open }, { request }) => {
    open.delete(request)
  },
})

function asked({ open, candidates }: AnswerState, { request }: { readonly request: string }): void {
  open.add(request)
  if (candidates.at(-1)?.delegates === true) candidates.pop()
}

function candidateOf(id: string, message: Message): Candidate | null {
  if (message.role !== 'assistant' || message.stop === 'error' || message.stop === 'aborted') return null
  const words = wordsAfter(noWords, message)
  return words.text === '' || wantsMore(words.text) ? null : { ids: [id], words, delegates: delegates(message) }
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
