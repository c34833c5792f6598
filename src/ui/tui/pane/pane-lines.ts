import { type Pane, isEmpty, type TextStream } from '../../../projections/screen/panes.ts'
import { plainText, plainLine } from '../../text/plain-text.ts'
import { type Paint, type Tone, fitWidth, wrapWidth } from '../../text/terminal-text.ts'
import type { Caches, LineCache } from '../state/line-caches.ts'
import type { Scroll } from '../state/ui.ts'
import type { Block, CallBlock, SaidBlock } from '../../../projections/screen/pane-blocks.ts'
import { durationText } from '../../text/figures.ts'
import { inputText } from './block-text.ts'
import { editLines } from './edit-lines.ts'
import { markdownLines } from './markdown.ts'

export interface PaneStyle {
  readonly width: number
  readonly height: number
  readonly isUnfolded: (block: Block) => boolean
  readonly scroll: Scroll | undefined
  readonly paint: Paint
  readonly caches: Caches
}

/**
 * The text of a pane: its last lines, or those further back when it is scrolled. Only what is shown is put into lines,
 * from the end; `back` is how far it could be scrolled, where that was found out.
 */
export function paneLines(pane: Pane, style: PaneStyle): readonly string[] {
  const { width, height, scroll, isUnfolded, paint, caches } = style
  const back = scroll?.back ?? 0
  const pieces = scroll ? [] : [...writing(pane, style)]
  let missing = height + back - pieces.flat().length
  let first = scroll?.blocks ?? pane.blocks.length
  while (first > 0 && missing > 0) {
    first -= 1
    const block = pane.blocks[first]
    const lines = block ? blockLines(caches.blocks, block, { width, unfolded: isUnfolded(block), paint }) : []
    pieces.push(lines)
    missing -= lines.length
  }
  const lines = pieces.toReversed().flat()
  if (back === 0) return lines.slice(-height)
  const end = Math.max(Math.min(height - 1, lines.length), lines.length - back)
  const came = pane.blocks.length - (scroll?.blocks ?? 0)
  const more = came > 0 ? ` · ${came} new` : ''
  const place = ` ↓ ${lines.length - end} lines below · block ${first + 1} of ${pane.blocks.length}${more} · End: the latest `
  const marker = paint('inverse', fitWidth(place, width))
  return [...lines.slice(Math.max(0, end - height + 1), end), marker]
}

/** Lines of the texts that are being written now, the last text first. */
function writing(pane: Pane, style: PaneStyle): readonly (readonly string[])[] {
  const { paint, width } = style
  const gap = pane.gap
    ? [[paint('dim', fitWidth('… some of this did not arrive; it comes when it is done', width))]]
    : []
  const said = isEmpty(pane.saying)
    ? []
    : [tailOf(pane.saying, style, (text) => markdownLines(text, { width: width - 2, paint }))]
  const thought = isEmpty(pane.thinking)
    ? []
    : [
        tailOf(pane.thinking, style, (text) => wrapWidth(plainText(text).trimEnd(), width - 2)).map((line) =>
          paint('dim', `~ ${line}`),
        ),
      ]
  return [...gap, ...said, ...(said.length > 0 ? thought.map((lines) => lines.slice(-2)) : thought)]
}

/** The last lines of a text that grows: only its last section is put into lines again. */
function tailOf(
  { finished, open }: TextStream,
  { width, height, caches }: PaneStyle,
  linesOf: (text: string) => readonly string[],
): readonly string[] {
  const pieces: (readonly string[])[] = open === '' ? [] : [linesOf(open)]
  let count = pieces[0]?.length ?? 0
  for (let n = finished.length - 1; n >= 0 && count < height; n -= 1) {
    const section = finished[n]
    if (!section) continue
    const kept = caches.sections.get(section)
    const lines = kept?.width === width ? kept.lines : linesOf(section.text)
    caches.sections.set(section, { width, lines })
    const gap = pieces.length > 0 && section.text.endsWith('\n\n') ? [''] : []
    pieces.push([...lines, ...gap])
    count += lines.length + gap.length
  }
  return pieces.toReversed().flat()
}

/** How blocks are put into lines. */
interface BlockStyle {
  readonly width: number
  readonly unfolded: boolean
  readonly paint: Paint
}

const foldedLines = 3
const foldedEdit = 8
const unfoldedLines = 400

/** A block never changes, so that its lines are made once for a width. */
export function blockLines(cache: LineCache, block: Block, style: BlockStyle): readonly string[] {
  const key = `${style.width} ${style.unfolded}`
  const kept = cache.get(block)
  if (kept?.style === key) return kept.lines
  const lines = block.kind === 'call' ? callLines(block, style) : saidLines(block, style)
  cache.set(block, { style: key, lines })
  return lines
}

/** Sign, tone, and whether much of it is shown only when it is unfolded. */
const looks: Readonly<Record<SaidBlock['kind'], readonly [sign: string, tone: Tone | null, folds: boolean]>> = {
  person: ['❯ ', 'bold', false],
  note: ['· ', 'dim', true],
  think: ['~ ', 'dim', true],
  say: ['', null, false],
  error: ['✗ ', 'red', false],
  sent: ['→ ', 'cyan', true],
  received: ['← ', 'cyan', true],
  life: ['· ', 'dim', true],
  warning: ['! ', 'yellow', false],
  end: ['· ', 'dim', true],
}

function saidLines(block: SaidBlock, { width, unfolded, paint }: BlockStyle): readonly string[] {
  if (block.kind === 'say') return folded(markdownLines(block.text, { width, paint }), unfoldedLines)
  const [sign, tone, folds] = looks[block.kind]
  const head = ['person', 'think'].includes(block.kind) ? '' : plainLine(block.head)
  const body = plainText(block.text).trim()
  const words = head !== '' && body !== '' ? `${head}: ${body}` : head + body
  const lines = indented(sign, words, width)
  const shown = folds && !unfolded ? folded(lines, foldedLines) : folded(lines, unfoldedLines)
  return tone === null ? shown : shown.map((line) => paint(tone, line))
}

const signs: Readonly<Record<CallBlock['state'], readonly [string, Tone]>> = {
  asked: ['·', 'dim'],
  waiting: ['?', 'yellow'],
  running: ['▸', 'green'],
  done: ['✓', 'dim'],
  failed: ['✗', 'red'],
  neutral: ['–', 'dim'],
}

function callLines(call: CallBlock, { width, unfolded, paint }: BlockStyle): readonly string[] {
  const [sign, tone] = signs[call.state]
  const time = call.duration_ms !== null && call.duration_ms >= 1_000 ? ` ${durationText(call.duration_ms)}` : ''
  const ending = call.ending === '' ? '' : ` ${call.ending}`
  const label = fitWidth(plainLine(call.label), width - 2 - time.length - ending.length)
  const first = `${paint(tone, sign)} ${label}${paint(tone, ending)}${paint('dim', time)}`
  const edit = editLines(call.input, { width, paint })
  if (!unfolded) {
    const said = glimpse(call, width).map((line) => paint(call.state === 'failed' ? 'red' : 'dim', line))
    return [first, ...(edit === null ? [] : folded(edit, foldedEdit)), ...said]
  }
  const input = edit ?? indented('  ', inputText(call.input), width).map((line) => paint('dim', line))
  const said = call.result === '' ? call.progress : call.result
  const output = said.trim() === '' ? [] : folded(indented('  ', plainText(said).trimEnd(), width), unfoldedLines)
  return [first, ...folded(input, unfoldedLines), ...output]
}

/** Of a folded call: the last that it says while it runs, and why it failed. */
function glimpse({ state, ending, progress, result }: CallBlock, width: number): readonly string[] {
  const said = state === 'failed' ? result : progress
  if (state !== 'failed' && state !== 'running') return []
  const lines = plainText(said)
    .split('\n')
    .filter((line) => line.trim() !== '' && line !== `[${ending}]`)
  // A tool says first what is wrong, a command last.
  const line = state === 'failed' && ending === '' ? lines[0] : lines.at(-1)
  return line === undefined ? [] : [fitWidth(`  ${plainLine(line)}`, width)]
}

function indented(sign: string, text: string, width: number): readonly string[] {
  const indent = ' '.repeat(sign.length)
  return wrapWidth(text, width - sign.length).map((line, index) => (index === 0 ? sign : indent) + line)
}

function folded(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `  … ${lines.length - most + 1} more lines`]
}
