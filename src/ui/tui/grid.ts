/** A place on the screen, in columns and rows. */
export interface Cell {
  readonly name: string
  readonly width: number
}

/** One row of panes, all of the same height. */
export interface GridRow {
  readonly height: number
  readonly cells: readonly Cell[]
}

export interface Room {
  readonly columns: number
  readonly rows: number
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
