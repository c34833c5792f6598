import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { fitWidth } from '../text/fit-width.ts'
import { wrapWidth } from '../text/wrap-width.ts'
import { gridOf, type GridRow, type Room } from './grid.ts'
import { keysFor, mainKeys, type Binding } from './keys.ts'
import { paneLines } from './pane-lines.ts'
import { bars, paneTitle } from './status-lines.ts'
import type { Picture } from './picture.ts'
import type { Ui } from './ui-state.ts'

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
  const { columns } = picture.size
  const room = { columns, rows: Math.max(1, picture.size.rows - below.length) }
  const foot = { x: 0, y: room.rows, width: columns, height: below.length, lines: below }
  return [...(overlayPanel(picture, room) ?? panePanels(picture, room)), foot]
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
  const lines = overlay === 'help' ? helpLines(mainKeys) : questionLines(picture, { columns, rows })
  const fitted = lines.flatMap((line) => wrapWidth(line, columns)).slice(0, rows)
  return [{ x: 0, y: 0, width: columns, height: rows, lines: fitted }]
}

function helpLines(map: readonly Binding[]): readonly string[] {
  const names = map.map(({ keys }) => keys.join(', '))
  const width = Math.max(...names.map((name) => name.length))
  return map.map(({ does }, n) => `${(names[n] ?? '').padEnd(width)}  ${does}`)
}

/** The question in front, above the keys that answer it. */
function questionLines({ ui, pending, described, paint }: Picture, { columns, rows }: Room): readonly string[] {
  const index = pending.findIndex(({ id }) => id === ui.question?.id)
  const title = paint('inverse', fitWidth(` Question ${index + 1} of ${pending.length} `, columns))
  const map = keysFor(ui.overlay === 'advice' ? 'advice' : 'questions', pending[index])
  const keys = helpLines(map.filter(({ act }) => isOffered(act, pending[index])))
  const room = Math.max(1, rows - keys.length - 2)
  const text = (described ?? '…').split('\n').flatMap((line) => wrapWidth(line, columns))
  const shown = text.length > room ? [...text.slice(0, room - 1), `… ${text.length - room + 1} more lines`] : text
  return [title, ...shown, '', ...keys]
}

/** No key promises a rule that nobody can write. */
function isOffered(act: Binding['act'], request: ApprovalFile | undefined): boolean {
  if (act === 'allow_session') return (request?.grants.session.length ?? 0) > 0
  return act === 'allow_save' ? (request?.grants.save.length ?? 0) > 0 : true
}
