import type { Block, CallBlock, SaidBlock } from '../../projections/screen/pane-blocks.ts'
import type { Paint, Tone } from '../text/colour.ts'
import { durationText } from '../text/figures.ts'
import { fitWidth } from '../text/fit-width.ts'
import { plainLine, plainText } from '../text/plain-text.ts'
import { wrapWidth } from '../text/wrap-width.ts'

/** How blocks are put into lines. */
export interface BlockStyle {
  readonly width: number
  readonly unfolded: boolean
  readonly paint: Paint
}

const foldedLines = 3
const unfoldedLines = 400

interface Kept {
  readonly style: string
  readonly lines: readonly string[]
}

/** A block never changes, so that its lines are made once for a width. */
export function blockLines(cache: WeakMap<Block, Kept>, block: Block, style: BlockStyle): readonly string[] {
  const key = `${style.width} ${style.unfolded}`
  const kept = cache.get(block)
  if (kept?.style === key) return kept.lines
  const lines = block.kind === 'call' ? callLines(block, style) : saidLines(block, style)
  cache.set(block, { style: key, lines })
  return lines
}

export type LineCache = WeakMap<Block, Kept>

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
  const [sign, tone, folds] = looks[block.kind]
  const head = ['person', 'say', 'think'].includes(block.kind) ? '' : plainLine(block.head)
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
  if (!unfolded)
    return [first, ...glimpse(call, width).map((line) => paint(call.state === 'failed' ? 'red' : 'dim', line))]
  const input = folded(indented('  ', plainText(JSON.stringify(call.input, null, 2) ?? ''), width), unfoldedLines)
  const said = call.result === '' ? call.progress : call.result
  const output = said.trim() === '' ? [] : folded(indented('  ', plainText(said).trimEnd(), width), unfoldedLines)
  return [first, ...input.map((line) => paint('dim', line)), ...output]
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
