import { typedStroke, type Stroke } from '../state/keys.ts'
import type { Ui } from '../state/ui.ts'

/**
 * A key that is held down may come several times at once: all but the last are done here.
 * @returns the state before the last of them, and the last
 */
export function heldApart(
  ui: Ui,
  stroke: Stroke,
  press: (ui: Ui, stroke: Stroke) => Ui,
): { readonly first: Ui; readonly stroke: Stroke } {
  const [, held] = /^([jknN])\1+$/.exec(stroke.text) ?? []
  if (held === undefined) return { first: ui, stroke }
  const key = typedStroke(held)
  let first = ui
  for (let n = 1; n < stroke.text.length; n += 1) first = press(first, key)
  return { first, stroke: key }
}
