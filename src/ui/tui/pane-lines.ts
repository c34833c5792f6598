import { isEmpty, type Pane, type Paragraph, type TextStream } from '../../projections/screen/panes.ts'
import type { Paint } from '../text/colour.ts'
import { fitWidth } from '../text/fit-width.ts'
import { plainText } from '../text/plain-text.ts'
import { wrapWidth } from '../text/wrap-width.ts'
import { blockLines, type LineCache } from './block-lines.ts'
import type { Scroll } from './ui-state.ts'

/** Lines that were made already: of blocks, and of finished paragraphs of what is being written. */
export interface Caches {
  readonly blocks: LineCache
  readonly paragraphs: WeakMap<Paragraph, { readonly width: number; readonly lines: readonly string[] }>
}

export function emptyCaches(): Caches {
  return { blocks: new WeakMap(), paragraphs: new WeakMap() }
}

export interface PaneStyle {
  readonly width: number
  readonly height: number
  readonly unfolded: boolean
  readonly scroll: Scroll | undefined
  readonly paint: Paint
  readonly caches: Caches
}

/**
 * The text of a pane: its last lines, or those further back when it is scrolled. Only what is shown is put into lines,
 * from the end; `back` is how far it could be scrolled, where that was found out.
 */
export function paneLines(pane: Pane, style: PaneStyle): readonly string[] {
  const { width, height, scroll, unfolded, paint, caches } = style
  const back = scroll?.back ?? 0
  const pieces = scroll ? [] : [...writing(pane, style)]
  let missing = height + back - pieces.flat().length
  for (let n = (scroll?.blocks ?? pane.blocks.length) - 1; n >= 0 && missing > 0; n -= 1) {
    const block = pane.blocks[n]
    const lines = block ? blockLines(caches.blocks, block, { width, unfolded, paint }) : []
    pieces.push(lines)
    missing -= lines.length
  }
  const lines = pieces.toReversed().flat()
  if (back === 0) return lines.slice(-height)
  const end = Math.max(Math.min(height - 1, lines.length), lines.length - back)
  const marker = paint('inverse', fitWidth(` ↓ End: back to the latest `, width))
  return [...lines.slice(Math.max(0, end - height + 1), end), marker]
}

/** Lines of the texts that are being written now, the last text first. */
function writing(pane: Pane, style: PaneStyle): readonly (readonly string[])[] {
  const { paint, width } = style
  const gap = pane.gap
    ? [[paint('dim', fitWidth('… some of this did not arrive; it comes when it is done', width))]]
    : []
  const said = isEmpty(pane.saying) ? [] : [tailOf(pane.saying, style)]
  const thought = isEmpty(pane.thinking) ? [] : [tailOf(pane.thinking, style).map((line) => paint('dim', `~ ${line}`))]
  return [...gap, ...said, ...(said.length > 0 ? thought.map((lines) => lines.slice(-2)) : thought)]
}

/** The last lines of a text that grows: only its last paragraph is broken into lines again. */
function tailOf({ finished, open }: TextStream, { width, height, caches }: PaneStyle): readonly string[] {
  const room = width - 2
  const pieces: (readonly string[])[] = open === '' ? [] : [wrapWidth(plainText(open), room)]
  let count = pieces[0]?.length ?? 0
  for (let n = finished.length - 1; n >= 0 && count < height; n -= 1) {
    const paragraph = finished[n]
    if (!paragraph) continue
    const kept = caches.paragraphs.get(paragraph)
    const lines = kept?.width === room ? kept.lines : wrapWidth(plainText(paragraph.text), room)
    caches.paragraphs.set(paragraph, { width: room, lines })
    pieces.push(lines)
    count += lines.length
  }
  return pieces.toReversed().flat()
}
