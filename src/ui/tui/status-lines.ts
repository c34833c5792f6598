import { doing, type MemberView } from '../../projections/screen/roster.ts'
import { tokensOf, type Spending } from '../../projections/cost/cost.ts'
import { viewOf, type Pane } from '../../projections/screen/panes.ts'
import { untilText } from '../../projections/screen/recovery-text.ts'
import { ownQuestion } from '../../protocol/tools/own-question.ts'
import { dollarsText, tokensText } from '../text/figures.ts'
import { fitWidth, padWidth, widthOf } from '../text/fit-width.ts'
import { memberSigns } from '../text/member-sign.ts'
import { plainLine } from '../text/plain-text.ts'
import { halves } from './draft.ts'
import type { Picture } from './picture.ts'
import { draftOf } from './ui-state.ts'

/** The line above a pane: who it is, what it does, and what that has cost. What matters less is cut off first. */
export function paneTitle({ panes, paint, ui }: Picture, pane: Pane, width: number): string {
  const view = viewOf(panes, pane.name)
  const [sign] = memberSigns[view?.state ?? 'not_started']
  const mark = pane.name === ui.focus ? '▶' : ' '
  const parts = view ? titleParts(view, pane, width < roomy) : []
  const text = padWidth(`${mark}${sign} ${plainLine([pane.name, ...parts].join(' · '))}`, width)
  return pane.name === ui.focus ? paint('inverse', text) : paint('bold', text)
}

/** From this width on a title has room for words. */
const roomy = 60

function titleParts(view: MemberView, { unread, model }: Pane, narrow: boolean): readonly string[] {
  const { turn, spending, trouble, phase, until, waiting } = view
  const paused = phase === 'paused' && until !== null ? untilText(until) : null
  const word = paused ?? doing(view)
  const tokens = tokensText(tokensOf(spending.usage))
  return [
    trouble === null ? word : `${word}: ${trouble}`,
    ...(waiting.size > 1 ? [`${waiting.size} questions`] : []),
    ...(turn > 0 ? [narrow ? `t${turn}` : `turn ${turn}`] : []),
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(turn > 0 ? [narrow ? tokens : `${tokens} tokens`, costText(spending)] : []),
    ...(model === '' ? [] : [model]),
  ]
}

function costText({ cost_usd }: Spending): string {
  return cost_usd === null ? 'cost unknown' : dollarsText(cost_usd)
}

/** The lines below all panes: questions when there are any, what is typed, and how the run stands. */
export function bars(picture: Picture): readonly string[] {
  return [...questionBar(picture), inputBar(picture), runBar(picture)]
}

function questionBar({ pending, paint, size }: Picture): readonly string[] {
  const [first] = pending
  if (first === undefined) return []
  const others = pending.length > 1 ? ` (and ${pending.length - 1} more)` : ''
  const name = first.member.slice(0, first.member.indexOf('@'))
  const wish = ownQuestion(first) === null ? `wants to use ${plainLine(first.tool)}` : 'asks you something'
  return [paint('yellow', fitWidth(`? ${name} ${wish}${others} · Ctrl+P to answer`, size.columns))]
}

function inputBar({ ui, paint, size }: Picture): string {
  const [before, after] = halves(draftOf(ui)).map((text) => keptLine(text)) as [string, string]
  if (ui.overlay === 'questions') return ''
  const prompt = ui.overlay === 'advice' ? 'instead> ' : `${ui.focus}> `
  const room = size.columns - prompt.length - 1
  // The text left of the cursor is cut first when there is no room for all.
  const left = endOf(before, Math.max(4, room - Math.min(20, after.length)))
  return paint('bold', prompt) + fitWidth(`${left}▏${after}`, room + 1)
}

/** Line ends that are typed are shown, and spaces at the ends are kept. */
function keptLine(text: string): string {
  return plainLine(`|${text.replaceAll('\n', '⏎')}|`).slice(1, -1)
}

const graphemes = new Intl.Segmenter()

/** The last columns of a line. */
function endOf(text: string, columns: number): string {
  const backwards = (line: string): string =>
    [...graphemes.segment(line)]
      .map(({ segment }) => segment)
      .toReversed()
      .join('')
  return widthOf(text) <= columns ? text : backwards(fitWidth(backwards(text), columns))
}

function runBar({ panes, ui, run, led, paint, size }: Picture): string {
  if (ui.note !== null) return fitWidth(plainLine(ui.note), size.columns)
  const { cost_usd } = panes.cost.total
  const spent = costText(panes.cost.total)
  const budget = run.budget_usd === null || cost_usd === null ? spent : `${spent} of ${dollarsText(run.budget_usd)}`
  const state = panes.ended ?? (led ? 'running' : 'interrupted: nobody leads it')
  const text = `${run.run} · ${state} · ${budget} · Tab next · Ctrl+F zoom · ? keys · Ctrl+C leave`
  return paint('dim', fitWidth(text, size.columns))
}
