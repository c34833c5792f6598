import type { Recorded } from '../../protocol/facts/entry.ts'
import type { FoldParts } from '../fold/keyframes.ts'
import { applyPanes, emptyPanes, type PaneMembers, type Panes } from '../screen/panes.ts'
import { applySpans, copySpans, emptySpans, type SpanFold } from '../work/spans.ts'
import { applyAskedCalls, type AskedCallList } from './asked-calls.ts'
import { copyPanes } from './copy-panes.ts'
import { applyLetters, copyLetters, emptyLetters, type Letters } from './letters.ts'
import { applySpendingLine, type SpendingLine } from './spending-line.ts'

/** All that the journals say about a run up to one of their facts. */
export interface RunMoment {
  readonly panes: Panes
  readonly asked: AskedCallList
  readonly letters: Letters
  readonly spans: SpanFold
  readonly spending: SpendingLine
  /** When the first and the last fact were written; null before there was one. */
  time: { readonly from: number; readonly to: number } | null
}

/** The moments of a run as a fold. @example keyframed(momentsOf({ lead: 'lead', members: [] })) */
export function momentsOf(cast: PaneMembers): FoldParts<RunMoment> {
  return {
    empty: () => ({
      panes: emptyPanes(cast),
      asked: [],
      letters: emptyLetters(),
      spans: emptySpans(),
      spending: [],
      time: null,
    }),
    apply: applyMoment,
    copy: ({ panes, asked, letters, spans, spending, time }) => ({
      panes: copyPanes(panes),
      asked: [...asked],
      letters: copyLetters(letters),
      spans: copySpans(spans),
      spending: [...spending],
      time,
    }),
  }
}

function applyMoment(moment: RunMoment, recorded: Recorded): void {
  const { at } = recorded.entry
  applyPanes(moment.panes, recorded)
  applyAskedCalls(moment.asked, recorded)
  applyLetters(moment.letters, recorded)
  applySpans(moment.spans, recorded)
  applySpendingLine(moment.spending, recorded)
  moment.time = { from: Math.min(moment.time?.from ?? at, at), to: Math.max(moment.time?.to ?? at, at) }
}
