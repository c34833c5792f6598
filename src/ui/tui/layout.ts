import { bodyText } from '../../protocol/work/body-text.ts'
import { costText, tokensText } from '../text/figures.ts'
import { plainLine, plainText } from '../text/plain-text.ts'
import { conditionSigns, fitParts, fitWidth, padWidth, wrapWidth } from '../text/terminal-text.ts'
import { bars } from './bars.ts'
import { listKeys, mainKeys, readKeys } from './state/keys.ts'
import { belowLines, listHeight, listPanel, rowAt, tabAt, textLines, wholeLines } from './list/overview.ts'
import { blockKey } from './pane/block-text.ts'
import { paneLines } from './pane/pane-lines.ts'
import { readingLines } from './read/reading-lines.ts'
import type { Block } from '../../projections/screen/pane-blocks.ts'
import type { Panel, Picture, Room } from './state/picture.ts'
import { playedKeys } from './press/play-press.ts'
import { helpLines, questionLines, viewOfQuestion } from './question/question-panel.ts'
import type { Pointer } from './terminal/pointer.ts'
import type { Target } from './state/target.ts'
import type { Ui, View } from './state/ui.ts'
import { conditionOf } from '../../projections/screen/condition.ts'
import { doing, waitText, type MemberView } from '../../projections/screen/roster.ts'
import { tokensOf } from '../../projections/cost/cost.ts'
import { viewOf, type Pane } from '../../projections/screen/panes.ts'
import { todoProgress } from '../../projections/member/arranged.ts'

/** Lays the whole screen out in lines that fit it. */
export function layOut(picture: Picture): readonly Panel[] {
  const below = bars(picture)
  const room = roomAbove(picture, below.length)
  const foot = { x: 0, y: room.rows, width: room.columns, height: below.length, lines: below }
  return [...(overlayPanel(picture, room) ?? viewPanels(picture, room)), foot]
}

/** How much of the question in front is on the screen; null when none is. */
export function questionView(picture: Picture): View | null {
  return viewOfQuestion(picture, roomAbove(picture, bars(picture).length))
}

function roomAbove({ size }: Picture, below: number): Room {
  return { columns: size.columns, rows: Math.max(1, size.rows - below) }
}

/** The rows that a page of what is in front has now. */
export function pageRows(picture: Picture, rows: number): number {
  const { ui } = picture
  const room = roomAbove(picture, bars(picture).length)
  if (ui.overlay === 'help' || ui.overlay === 'whole') return room.rows
  if (ui.overlay === 'read') return Math.max(1, room.rows - 3)
  if (ui.view === 'list') return listHeight(rows, room.rows)
  const row = rowsFor(ui, room).find(({ cells }) => cells.some(({ name }) => name === ui.focus))
  return Math.max(2, (row?.height ?? room.rows) - 1)
}

/** Null where a click leads to nothing: over everything that lies above lists and panes. */
export function targetAt(picture: Picture, { x, y }: Pick<Pointer, 'x' | 'y'>): Target | null {
  const { ui, pending } = picture
  if (ui.overlay !== null) return null
  const room = roomAbove(picture, bars(picture).length)
  if (y >= room.rows) return y === room.rows && pending.length > 0 ? { at: 'questions' } : null
  if (ui.view === 'list') {
    const tab = y === 0 ? tabAt(picture, x) : null
    if (tab !== null) return { at: 'tab', tab }
    const row = rowAt(picture, y, room.rows)
    return row === null ? null : { at: 'row', id: row.id }
  }
  let top = 0
  for (const { height, cells } of rowsFor(ui, room)) {
    let left = 0
    for (const { name, width } of cells) {
      if (y < top + height && x < left + width) return { at: 'pane', name }
      left += width + 1
    }
    top += height
  }
  return null
}

function viewPanels(picture: Picture, room: Room): readonly Panel[] {
  if (picture.ui.view === 'panes') return panePanels(picture, room)
  const { panel, below } = listPanel(picture, room)
  if (below === null) return [panel]
  const { row, panel: place } = below
  const isMember = picture.ui.tab === 'members'
  return [panel, { ...place, lines: isMember ? linesOf(picture, row.id, place) : belowLines(picture, row, place) }]
}

function rowsFor({ names, focus, zoomed }: Ui, room: Room): readonly GridRow[] {
  return gridOf(zoomed ? [focus] : names, focus, room)
}

/** Rows of panes, a line between those that stand side by side. */
function panePanels(picture: Picture, whole: Room): readonly Panel[] {
  const { ui, paint } = picture
  const panels: Panel[] = []
  const most = rowsFor(ui, whole)
  const hidden = ui.zoomed ? 0 : ui.names.length - most.reduce((sum, { cells }) => sum + cells.length, 0)
  // A member of which nothing is shown is counted, in a line of its own.
  const room = hidden > 0 && whole.rows > 1 ? { ...whole, rows: whole.rows - 1 } : whole
  let y = 0
  for (const { height, cells } of room === whole ? most : rowsFor(ui, room)) {
    let x = 0
    for (const { name, width } of cells) {
      if (x > 0) panels.push(between(picture, { x: x - 1, y, height }))
      panels.push({ x, y, width, height, lines: linesOf(picture, name, { width, height }) })
      x += width + 1
    }
    y += height
  }
  if (room === whole) return panels
  const shown = panels.filter(({ width }) => width > 1).length
  const text = ` ${ui.names.length - shown} more members · Tab next · Esc lists them`
  return [...panels, { x: 0, y, width: room.columns, height: 1, lines: [paint('dim', fitWidth(text, room.columns))] }]
}

function between({ paint }: Picture, place: Pick<Panel, 'x' | 'y' | 'height'>): Panel {
  return { ...place, width: 1, lines: Array.from({ length: place.height }, () => paint('dim', '│')) }
}

function linesOf(picture: Picture, name: string, { width, height }: Pick<Panel, 'width' | 'height'>): Panel['lines'] {
  const { ui, panes, paint, caches } = picture
  const pane = panes.panes.get(name)
  if (!pane) return []
  const isUnfolded = (block: Block): boolean => ui.unfolded.has(name) !== ui.turned.has(blockKey(name, block))
  const style = { width, height: height - 1, isUnfolded, scroll: ui.scrolls.get(name), paint, caches }
  const waiting = name === ui.focus ? queuedLines(picture, width).slice(0, Math.floor(height / 3)) : []
  const lines = paneLines(pane, { ...style, height: style.height - waiting.length })
  return [paneTitle(picture, pane, width), ...lines, ...waiting]
}

/** Mail that the member has not read yet, below its transcript. */
function queuedLines({ queued, paint }: Picture, width: number): readonly string[] {
  return queued.map(({ envelope, file }) => {
    const said =
      envelope === null ? file : `${envelope.kind} from ${envelope.from.split('@')[0]}: ${bodyText(envelope)}`
    return paint('blue', fitWidth(`✉ not read yet: ${plainLine(said)}`, width))
  })
}

function overlayPanel(picture: Picture, { columns, rows }: Room): readonly Panel[] | null {
  const { overlay, view, reading } = picture.ui
  if (overlay === null || overlay === 'filter' || overlay === 'write') return null
  const room = { columns, rows }
  const fitted = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => wrapWidth(line, columns))
  const keysHere = (): typeof listKeys | typeof mainKeys | typeof readKeys => {
    if (reading !== null) return readKeys
    return view === 'list' ? listKeys : mainKeys
  }
  const isPlayed = picture.playback !== null && reading === null
  const help = (): readonly string[] => fitted(helpLines(isPlayed ? playedKeys(keysHere()) : keysHere()))
  if (overlay === 'read' || overlay === 'search') return [readPanel(picture, room)]
  const lines =
    overlay === 'help' || overlay === 'whole'
      ? textLines(picture, overlay === 'help' ? help() : wholeLines(picture, columns), room)
      : fitted(overLines(picture, room)).slice(0, rows)
  return [{ x: 0, y: 0, width: columns, height: rows, lines }]
}

/** The title of the member in front above its transcript. */
function readPanel(picture: Picture, { columns, rows }: Room): Panel {
  const pane = picture.panes.panes.get(picture.ui.focus)
  const title = pane ? [paneTitle(picture, pane, columns)] : []
  const lines = [...title, ...readingLines(picture, { columns, rows: rows - title.length })]
  return { x: 0, y: 0, width: columns, height: rows, lines: lines.slice(0, rows) }
}

function overLines(picture: Picture, room: Room): readonly string[] {
  const { overlay, output } = picture.ui
  if (overlay !== 'output' || output === null) return questionLines(picture, room)
  const title = picture.paint(
    'inverse',
    fitWidth(` ${plainLine(output.title)} · Esc closes, PageDown pages `, room.columns),
  )
  return [title, ...plainText(output.text).split('\n').slice(output.top)]
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
  const [sign, tone] = conditionSigns[view ? conditionOf(view) : 'idle']
  const mark = pane.name === ui.focus ? '▶' : ' '
  const parts = view ? titleParts(view, pane, width < roomy) : []
  const head = `${mark}${sign} ${plainLine(pane.name)}`
  const text = padWidth(fitParts([head, ...parts.map(plainLine)], width), width)
  return paint(tone, pane.name === ui.focus ? paint('inverse', text) : paint('bold', text))
}

/** From this width on a title has room for words. */
const roomy = 60

function titleParts(view: MemberView, { unread, model, mode }: Pane, narrow: boolean): readonly string[] {
  const { turn, spending, waiting, trouble } = view
  const todo = todoProgress(view.todos)
  const tokens = tokensText(tokensOf(spending.usage))
  const word = waitText(view) ?? (view.state === 'not_started' ? 'not started' : doing(view))
  return [
    trouble === null ? word : `${word}: ${trouble}`,
    ...(todo === null ? [] : [todo]),
    ...(waiting.size > 1 ? [`${waiting.size} questions`] : []),
    ...(turn > 0 ? [narrow ? `t${turn}` : `turn ${turn}`] : []),
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(turn > 0 ? [narrow ? tokens : `${tokens} tokens`, costText(spending.cost_usd)] : []),
    ...(mode === null ? [] : [`mode ${mode}`]),
    ...(model === '' ? [] : [model]),
  ]
}
