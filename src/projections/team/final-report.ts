import type { Recorded } from '../../protocol/facts/entry.ts'
import { noWords, wordsAfter, type Words } from '../../rules/conversation/cut-answer.ts'
import { foldOver, ignore } from '../fold/fold.ts'

/** The text of a lead that was told to report. */
export interface FinalReport {
  apply(recorded: Recorded): void
  /** Null while it was not told to, and when it wrote nothing. */
  text(): string | null
}

interface State {
  readonly lead: string
  told: boolean
  words: Words
}

/**
 * The final report of a lead whose budget ran out: unlike an answer it counts although results are still outstanding.
 *
 * @param lead the coordinator's member name
 */
export function finalReport(lead: string): FinalReport {
  const state: State = { lead, told: false, words: noWords }
  return { apply: (recorded) => step(state, recorded), text: () => state.words.text.trim() || null }
}

const step = foldOver<State, 'loop' | 'conversation'>({
  'agent.started': (state, _, owner) => {
    if (owner === state.lead) state.told = false
  },
  'turn.continued': (state, { reason }, owner) => {
    if (owner === state.lead && reason === 'wind_down') state.told = true
  },
  'agent.parked': ignore,
  'agent.ended': ignore,
  'message.appended': (state, { message }, owner) => {
    if (owner === state.lead && state.told) state.words = wordsAfter(state.words, message)
  },
  'message.tombstoned': ignore,
})
