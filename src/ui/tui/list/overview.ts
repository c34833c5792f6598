import { plainText } from '../../text/plain-text.ts'
import { fitWidth, padWidth, wrapWidth } from '../../text/terminal-text.ts'
import { optionsTitle } from './option-rows.ts'
import { listHead, rowsOf, tabName } from './list-rows.ts'
import type { Row } from '../state/ui.ts'
import type { Panel, Picture, Room } from '../state/picture.ts'
import { selectedRow, tabs, type Tab } from '../state/ui.ts'

/** The part of the screen below a list; null where it has no room. */
export interface LowerPart {
  readonly row: Row
  readonly panel: Omit<Panel, 'lines'>
}

/** A list of the run: the bar of all lists, its counts, and as many of its rows as have room. */
export function listPanel(picture: Picture, room: Room): { readonly panel: Panel; readonly below: LowerPart | null } {
  const { paint, ui } = picture
  const rows = rowsOf(picture)
  const selected = selectedRow(ui, rows)
  const height = listHeight(rows.length, room.rows)
  const head = paint('dim', fitWidth(listHead(picture), room.columns))
  const lines = [
    tabBar(picture, room.columns),
    head,
    ...listLines(picture, rows, { columns: room.columns, rows: height }),
  ]
  const left = room.rows - lines.length
  const panel = { x: 0, y: 0, width: room.columns, height: lines.length, lines: lines.slice(0, room.rows) }
  const below = { x: 0, y: lines.length, width: room.columns, height: left }
  return { panel, below: selected !== undefined && left >= leastBelow ? { row: selected, panel: below } : null }
}

/** Rows that the list has on a screen with so many, for paging. */
export function listHeight(count: number, rows: number): number {
  const room = Math.max(1, rows - 2)
  if (count <= room - leastBelow) return Math.max(1, count)
  return room < 2 * leastBelow ? room : Math.max(room - preferredBelow, Math.floor(room / 2))
}

const leastBelow = 5
const preferredBelow = 12

/** The lists as the bar names them, with the columns of each. */
function tabCells(picture: Picture, width: number): readonly { readonly tab: Tab; readonly text: string }[] {
  const { ui } = picture
  const framed = (tab: Tab, text: string): string => (tab === ui.tab ? `[${text}]` : ` ${text} `)
  const names = tabs.map((tab) => ({ tab, text: framed(tab, tabName(picture, tab)) }))
  // Where there is no room for all, the one in front stays, and the others are short of their counts.
  const room = names.reduce((sum, { text }) => sum + text.length, 0) <= width
  const shown = room ? names : names.map((each) => (each.tab === ui.tab ? each : { ...each, text: ` ${each.tab} ` }))
  let left = width
  return shown.map(({ tab, text }) => {
    const fitted = fitWidth(text, left)
    left -= fitted.length
    return { tab, text: fitted }
  })
}

function tabBar(picture: Picture, width: number): string {
  const { ui, paint } = picture
  if (ui.choosing !== null) return paint('inverse', fitWidth(optionsTitle(ui.choosing), width))
  return tabCells(picture, width)
    .map(({ tab, text }) => paint(tab === ui.tab ? 'inverse' : 'dim', text))
    .join('')
}

/** The list whose name stands at a column of the bar. */
export function tabAt(picture: Picture, x: number): Tab | null {
  let right = 0
  for (const { tab, text } of tabCells(picture, picture.size.columns)) {
    right += text.length
    if (x < right) return tab
  }
  return null
}

/** The row of a list at a line of the screen; null where none is. */
export function rowAt(picture: Picture, y: number, rows: number): Row | null {
  const all = rowsOf(picture)
  const height = listHeight(all.length, rows)
  const { top, room } = windowOf(picture, all, height)
  return y < 2 || y - 2 >= room ? null : (all[top + y - 2] ?? null)
}

/** The part of a list that is on the screen. */
function windowOf(
  { ui }: Picture,
  rows: readonly Row[],
  height: number,
): { readonly top: number; readonly room: number } {
  const selected = selectedRow(ui, rows)
  const room = rows.length > height ? Math.max(1, height - 1) : height
  const index = selected ? rows.indexOf(selected) : 0
  return { top: Math.max(0, Math.min(index - Math.floor(room / 2), rows.length - room)), room }
}

function listLines(picture: Picture, rows: readonly Row[], { columns, rows: height }: Room): readonly string[] {
  const { paint, ui } = picture
  const filter = ui.filters.get(ui.tab)
  if (rows.length === 0) return [paint('dim', fitWidth(filter ? ' nothing matches · Esc' : ' nothing here', columns))]
  const selected = selectedRow(ui, rows)
  const { top, room } = windowOf(picture, rows, height)
  const lines = rows.slice(top, top + room).map((row) => {
    const line = `${row === selected ? '▶' : ' '}${row.line(columns - 1)}`
    return row === selected ? paint('inverse', line) : line
  })
  if (rows.length <= height || height < 2) return lines
  const counts = `… ${top} above · ${rows.length - top - room} below`
  return [...lines, paint('dim', fitWidth(` ${counts}`, columns))]
}

/** The whole of a row that is no member, as far as it has room, below a line that parts it from the list. */
export function belowLines({ paint }: Picture, row: Row, { width, height }: LowerPart['panel']): readonly string[] {
  const text = row.whole()
  const lines = text === '' ? [] : wrapWidth(plainText(text), width)
  const room = height - 1
  const rest = lines.length - room + 1
  const shown =
    lines.length > room
      ? [...lines.slice(0, room - 1), paint('dim', fitWidth(`… ${rest} more lines · Enter`, width))]
      : lines
  return [paint('dim', padWidth('', width).replaceAll(' ', '─')), ...shown]
}

/** A text that fills the screen, from the line to which it was scrolled; what does not fit is counted. */
export function textLines(
  { ui, paint }: Picture,
  lines: readonly string[],
  { columns, rows }: Room,
): readonly string[] {
  if (lines.length <= rows) return lines
  const room = Math.max(1, rows - 1)
  const top = Math.min(ui.top, lines.length - room)
  const counts = `… ${top} lines above · ${lines.length - top - room} below · PageDown · Esc back`
  return [...lines.slice(top, top + room), paint('dim', fitWidth(counts, columns))]
}

/** The lines of the row that is shown alone. */
export function wholeLines(picture: Picture, columns: number): readonly string[] {
  const row = selectedRow(picture.ui, rowsOf(picture))
  return row ? wrapWidth(plainText(row.whole()), columns) : []
}
