import { plainLine } from '../text/plain-text.ts'
import { fitWidth, wrapWidth, padWidth, widthOf, memberSigns } from '../text/terminal-text.ts'
import { mainKeys } from './keys.ts'
import type { Picture, Room } from './picture.ts'
import { helpLines, questionLines, viewOfQuestion } from './question-panel.ts'
import { paneLines } from './pane-lines.ts'
import { commandLines } from './screen-commands.ts'
import { matching, nameBegun } from './typed-command.ts'
import type { Ui, View } from './ui-model.ts'
import { draftOf } from './ui-state.ts'
import { doing, waitText, type MemberView } from '../../projections/screen/roster.ts'
import { tokensOf, type Spending } from '../../projections/cost/cost.ts'
import { viewOf, type Pane } from '../../projections/screen/panes.ts'
import { untilText } from '../../projections/screen/recovery-text.ts'
import { ownQuestion } from '../../protocol/tools/own-question.ts'
import { dollarsText, tokensText } from '../text/figures.ts'

/** A block of lines on the screen, its place counted from the upper left corner. No two share a cell. */
export interface Panel {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** From the top, each within the width; below them it is empty. */
  readonly lines: readonly string[]
}

/** Lays the whole screen out in lines that fit it. */
export function layOut(picture: Picture): readonly Panel[] {
  const below = bars(picture)
  const room = roomAbove(picture, below.length)
  const foot = { x: 0, y: room.rows, width: room.columns, height: below.length, lines: below }
  return [...(overlayPanel(picture, room) ?? panePanels(picture, room)), foot]
}

/** How much of the question in front is on the screen; null when none is. */
export function questionView(picture: Picture): View | null {
  return viewOfQuestion(picture, roomAbove(picture, bars(picture).length))
}

function roomAbove({ size }: Picture, below: number): Room {
  return { columns: size.columns, rows: Math.max(1, size.rows - below) }
}

/** The rows that a pane's text has now, for paging. */
export function pageRows(ui: Ui, size: Room): number {
  const room = { columns: size.columns, rows: size.rows - 2 }
  const row = rowsFor(ui, room).find(({ cells }) => cells.some(({ name }) => name === ui.focus))
  return Math.max(2, (row?.height ?? room.rows) - 1)
}

function rowsFor({ names, focus, zoomed }: Ui, room: Room): readonly GridRow[] {
  return gridOf(zoomed ? [focus] : names, focus, room)
}

/** Rows of panes, a line between those that stand side by side. */
function panePanels(picture: Picture, room: Room): readonly Panel[] {
  const panels: Panel[] = []
  let y = 0
  for (const { height, cells } of rowsFor(picture.ui, room)) {
    let x = 0
    for (const { name, width } of cells) {
      if (x > 0) panels.push(between(picture, { x: x - 1, y, height }))
      panels.push({ x, y, width, height, lines: linesOf(picture, name, { width, height }) })
      x += width + 1
    }
    y += height
  }
  return panels
}

function between({ paint }: Picture, place: Pick<Panel, 'x' | 'y' | 'height'>): Panel {
  return { ...place, width: 1, lines: Array.from({ length: place.height }, () => paint('dim', '│')) }
}

function linesOf(picture: Picture, name: string, { width, height }: Pick<Panel, 'width' | 'height'>): Panel['lines'] {
  const { ui, panes, paint, caches } = picture
  const pane = panes.panes.get(name)
  if (!pane) return []
  const unfolded = ui.unfolded.has(name)
  const style = { width, height: height - 1, unfolded, scroll: ui.scrolls.get(name), paint, caches }
  return [paneTitle(picture, pane, width), ...paneLines(pane, style)]
}

function overlayPanel(picture: Picture, { columns, rows }: Room): readonly Panel[] | null {
  const { overlay } = picture.ui
  if (overlay === null) return null
  const lines = overlay === 'help' ? helpLines(mainKeys) : overLines(picture, { columns, rows })
  const fitted = lines.flatMap((line) => wrapWidth(line, columns)).slice(0, rows)
  return [{ x: 0, y: 0, width: columns, height: rows, lines: fitted }]
}

function overLines(picture: Picture, room: Room): readonly string[] {
  const { overlay, output } = picture.ui
  if (overlay !== 'output' || output === null) return questionLines(picture, room)
  const title = picture.paint(
    'inverse',
    fitWidth(` ${plainLine(output.title)} · Esc closes, PageDown pages `, room.columns),
  )
  return [title, ...output.text.split('\n').slice(output.top).map(plainLine)]
}

/** A place on the screen, in columns and rows. */
interface Cell {
  readonly name: string
  readonly width: number
}

/** One row of panes, all of the same height. */
interface GridRow {
  readonly height: number
  readonly cells: readonly Cell[]
}

const least = { columns: 36, rows: 6 } as const
/** A pane is best about so many times as many columns as rows: a line of text is read, not a column. */
const shape = 3.5

/**
 * Lays panes side by side, a column between two. When there is no room for all at a readable size, those on the page of
 * `focus` are shown.
 */
export function gridOf(names: readonly string[], focus: string, room: Room): readonly GridRow[] {
  const across = Math.max(1, Math.floor((room.columns + 1) / (least.columns + 1)))
  const most = across * Math.max(1, Math.floor(room.rows / least.rows))
  const page = Math.floor(Math.max(0, names.indexOf(focus)) / most)
  const shown = names.slice(page * most, (page + 1) * most)
  const perRow = bestColumns(shown.length, across, room)
  const rows = Array.from({ length: Math.ceil(shown.length / perRow) }, (_, n) =>
    shown.slice(n * perRow, (n + 1) * perRow),
  )
  const heights = shares(room.rows, rows.length)
  return rows.map((row, n) => {
    const widths = shares(room.columns - (row.length - 1), row.length)
    return { height: heights[n] ?? 1, cells: row.map((name, m) => ({ name, width: widths[m] ?? 1 })) }
  })
}

/** How many panes stand side by side so that each is nearest to its best shape. */
function bestColumns(count: number, across: number, { columns, rows }: Room): number {
  const choices = Array.from({ length: Math.min(count, across) || 1 }, (_, n) => n + 1)
  const readable = choices.filter((each) => rows / Math.ceil(count / each) >= least.rows)
  const distance = (each: number): number => {
    const height = rows / Math.ceil(count / each)
    return Math.abs(Math.log(columns / each / height / shape))
  }
  return (readable.length > 0 ? readable : choices).toSorted((a, b) => distance(a) - distance(b))[0] ?? 1
}

/** Parts of a whole, as equal as they can be. */
function shares(whole: number, parts: number): readonly number[] {
  return Array.from(
    { length: parts },
    (_, n) => Math.floor(((n + 1) * whole) / parts) - Math.floor((n * whole) / parts),
  )
}

/** The line above a pane: who it is, what it does, and what that has cost. What matters less is cut off first. */
function paneTitle({ panes, paint, ui }: Picture, pane: Pane, width: number): string {
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
  const word = paused ?? waitText(view) ?? doing(view)
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
function bars(picture: Picture): readonly string[] {
  return [...questionBar(picture), ...commandBar(picture), inputBar(picture), runBar(picture)]
}

function questionBar({ pending, paint, size }: Picture): readonly string[] {
  const [first] = pending
  if (first === undefined) return []
  const others = pending.length > 1 ? ` (and ${pending.length - 1} more)` : ''
  const name = first.member.slice(0, first.member.indexOf('@'))
  const wish = ownQuestion(first) === null ? `wants to use ${plainLine(first.tool)}` : 'asks you something'
  return [paint('yellow', fitWidth(`? ${name} ${wish}${others} · Ctrl+P to answer`, size.columns))]
}

/** The commands that match what is typed, in one line. */
function commandBar({ ui, paint, size, commands }: Picture): readonly string[] {
  const begun = ui.overlay === null ? nameBegun(draftOf(ui)) : null
  if (begun === null) return []
  const found = matching(begun, commands())
  const [only] = found
  const text =
    found.length === 1 && only !== undefined
      ? (commandLines([only])[0] ?? '')
      : found.map(({ name }) => `/${name}`).join(' ')
  return [paint('dim', fitWidth(plainLine(found.length === 0 ? 'no command begins so' : text), size.columns))]
}

function inputBar({ ui, paint, size }: Picture): string {
  const { before: left, after: right } = draftOf(ui)
  // Of a long line only what is near the cursor can be seen.
  const [before, after] = [keptLine(left.slice(-mostShown)), keptLine(right.slice(0, mostShown))]
  if (ui.overlay === 'questions') return ''
  const prompt = ui.overlay === 'advice' ? 'instead> ' : `${ui.focus}> `
  const room = size.columns - prompt.length - 1
  // The text left of the cursor is cut first when there is no room for all.
  const near = endOf(before, Math.max(4, room - Math.min(20, after.length)))
  return paint('bold', prompt) + fitWidth(`${near}▏${after}`, room + 1)
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

function runBar({ panes, ui, run, led, paint, size }: Picture): string {
  if (ui.note !== null) return fitWidth(plainLine(ui.note), size.columns)
  const { cost_usd } = panes.cost.total
  const spent = costText(panes.cost.total)
  const budget = run.budget_usd === null || cost_usd === null ? spent : `${spent} of ${dollarsText(run.budget_usd)}`
  const state = panes.ended ?? (led ? 'running' : 'interrupted: nobody leads it')
  const text = `${run.run} · ${state} · ${budget} · Tab next · Ctrl+F zoom · ? keys · Ctrl+C leave`
  return paint('dim', fitWidth(text, size.columns))
}
