import { costText, dollarsText } from '../text/figures.ts'
import { plainLine } from '../text/plain-text.ts'
import { fitParts, fitWidth, widthOf, wrapWidth } from '../text/terminal-text.ts'
import { ownQuestion } from '../../protocol/tools/own-question.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { draftText, emptyLine } from './state/input-line.ts'
import { momentText } from '../../protocol/words/local-time.ts'
import type { Playback } from '../../runtime/replay/play-run.ts'
import type { Picture } from './state/picture.ts'
import { commandLines } from './state/screen-commands.ts'
import { matching, nameBegun } from './press/typed-command.ts'
import { draftOf, isAtQuestion, isTyping, recipientsOf } from './state/ui.ts'

/** The lines at the foot of the screen: questions when there are any, what is typed, and how the run stands. */
export function bars(picture: Picture): readonly string[] {
  const { notes, paint, size } = picture
  const news = notes.flatMap(({ text }) => noteLines(text, size).map((line) => paint('cyan', line)))
  return [...questionBar(picture), ...commandBar(picture), ...news, ...inputBar(picture), runBar(picture)]
}

/** A note tells why something was not done, and what to do: it is shown whole where there is room. */
function noteLines(text: string, { columns, rows }: Picture['size']): readonly string[] {
  const lines = wrapWidth(`· ${plainLine(text)}`, columns)
  const most = Math.max(1, Math.min(4, Math.floor(rows / 6)))
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), fitWidth(lines.slice(most - 1).join(' '), columns)]
}

function questionBar({ pending, paint, size, ui }: Picture): readonly string[] {
  const [first] = pending
  if (first === undefined || isAtQuestion(ui)) return []
  const others = pending.length > 1 ? ` (and ${pending.length - 1} more)` : ''
  const name = memberName(first.member)
  const wish = wishOf(first)
  return [paint('yellow', fitWidth(`? ${name} ${wish}${others} · Ctrl+P to answer`, size.columns))]
}

function wishOf(request: Picture['pending'][number]): string {
  if (ownQuestion(request) !== null) return 'asks you something'
  return request.tool === 'ExitPlanMode' ? 'proposes a plan' : `wants to use ${plainLine(request.tool)}`
}

/** The commands that match what is typed, in one line. */
function commandBar({ ui, paint, size, commands }: Picture): readonly string[] {
  const begun = isTyping(ui) && ui.overlay === null ? nameBegun(draftOf(ui)) : null
  if (begun === null) return []
  const found = matching(begun, commands())
  const [only] = found
  const text =
    found.length === 1 && only !== undefined
      ? (commandLines([only])[0] ?? '')
      : found.map(({ name }) => `/${name}`).join(' ')
  return [paint('dim', fitWidth(plainLine(found.length === 0 ? 'no command begins so' : text), size.columns))]
}

function inputBar(picture: Picture): readonly string[] {
  const { ui, paint, size, playback } = picture
  if (playback !== null && ui.overlay === null) return filterBar(picture)
  if (!isTyping(ui)) return ui.overlay === 'questions' ? [''] : filterBar(picture)
  const { before: left, after: right } = draftOf(ui)
  // Of a long line only what is near the cursor can be seen.
  const [before, after] = [keptLine(left.slice(-mostShown)), keptLine(right.slice(0, mostShown))]
  const prompt = fitWidth(promptOf(picture), Math.max(12, size.columns - 24))
  const room = size.columns - widthOf(prompt) - 1
  // The text left of the cursor is cut first when there is no room for all.
  const near = endOf(before, Math.max(4, room - Math.min(20, after.length)))
  return [paint('bold', prompt) + fitWidth(`${near}▏${after}`, room + 1)]
}

function isOwnInFront({ pending, ui }: Picture): boolean {
  const request = pending.find(({ id }) => id === ui.question?.id)
  return request !== undefined && ownQuestion(request) !== null
}

function promptOf(picture: Picture): string {
  const { ui } = picture
  if (ui.overlay === 'advice') return isOwnInFront(picture) ? 'answer> ' : 'instead> '
  if (ui.overlay === 'change') return 'allow> '
  if (ui.overlay === 'filter' || ui.overlay === 'search') return '/'
  const to = recipientsOf(ui)
  return to.length > 1 ? `to ${to.length}: ${to.join(', ')}> ` : `${to[0] ?? ''}> `
}

/** The filter of a list stays in sight as long as it hides something. */
function filterBar({ ui, paint, size }: Picture): readonly string[] {
  const words = draftText(ui.filters.get(ui.tab) ?? emptyLine)
  return words === '' || ui.overlay !== null
    ? []
    : [paint('yellow', fitWidth(`/${words} · Esc shows all`, size.columns))]
}

/** More characters than any line of a screen has. */
const mostShown = 2_000

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

function runBar(picture: Picture): string {
  const { panes, run, led, paint, size, playback } = picture
  const { cost_usd } = panes.cost.total
  const spent = costText(cost_usd)
  const budget = run.budget_usd === null || cost_usd === null ? spent : `${spent} of ${dollarsText(run.budget_usd)}`
  if (playback !== null) return paint('cyan', fitParts(playParts(playback), size.columns))
  const state = panes.ended ?? (led ? 'running' : 'interrupted: nobody leads it')
  return paint('dim', fitParts([state, budget, ...hintsOf(picture), run.run], size.columns))
}

/** A recorded run: how it plays, and when the latest of its facts happened. */
function playParts({ shown, total, speed, paused, at }: Playback): readonly string[] {
  const place = [...(at === null ? [] : [momentText(at).slice(11, 19)]), `${shown}/${total}`]
  if (shown === total) return ['replay: the end', ...place, '? keys', 'Ctrl+C leave']
  const state = paused ? 'replay paused' : `replay ×${speed}`
  return [state, ...place, `Space ${paused ? 'play on' : 'pause'}`, '. step', '+ - speed', '? keys', 'Ctrl+C leave']
}

function hintsOf({ ui, pending }: Picture): readonly string[] {
  if (ui.overlay === 'questions' && pending.length > 1) return ['Tab next question', 'Esc back', 'Ctrl+C leave']
  if (ui.overlay !== null) return ['Esc back', 'Ctrl+C leave']
  return ui.view === 'list' ? listHints : paneHints
}

const listHints = ['Enter open', 'Tab lists', '? keys', 'Ctrl+C leave']
const paneHints = ['Esc list', 'Tab next', '? keys', 'Ctrl+C leave', '/ commands']
