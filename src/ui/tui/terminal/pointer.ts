/** A click or a turn of the wheel, at a cell of the screen counted from its upper left corner. */
export interface Pointer {
  readonly does: 'click' | 'wheel_up' | 'wheel_down'
  readonly x: number
  readonly y: number
}

/** The reports of a terminal in SGR mouse mode (xterm: Mouse Tracking, 1006), of pressed buttons and the wheel. */
const report = /\u001b\[<(\d+);(\d+);(\d+)([Mm])/g
const begun = /\u001b\[(?:<[\d;]*)?$/

const meanings: Readonly<Record<string, Pointer['does']>> = { '0M': 'click', '64M': 'wheel_up', '65M': 'wheel_down' }

/**
 * Parts what a terminal sent into keys and reports of the mouse, in their order.
 * @returns `rest`: the beginning of a report that has not come whole
 */
export function partPointers(text: string): { readonly parts: readonly (string | Pointer)[]; readonly rest: string } {
  const rest = begun.exec(text)?.[0] ?? ''
  const whole = text.slice(0, text.length - rest.length)
  const parts: (string | Pointer)[] = []
  let last = 0
  for (const match of whole.matchAll(report)) {
    const [all, button = '', column = '', row = '', end = ''] = match
    const does = meanings[button + end]
    if (match.index > last) parts.push(whole.slice(last, match.index))
    if (does !== undefined) parts.push({ does, x: Number(column) - 1, y: Number(row) - 1 })
    last = match.index + all.length
  }
  if (last < whole.length) parts.push(whole.slice(last))
  return { parts, rest }
}
