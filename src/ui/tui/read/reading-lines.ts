import { stripVTControlCharacters } from 'node:util'
import { fitParts, type Paint } from '../../text/terminal-text.ts'
import { draftText } from '../state/input-line.ts'
import type { Picture, Room } from '../state/picture.ts'
import type { ReadTranscript } from '../state/ui.ts'
import { clamped, transcriptOf } from './transcript.ts'

/** A transcript that is read: the lines around the selected block, which has a bar beside it, and where that is. */
export function readingLines(picture: Picture, { columns, rows }: Room): readonly string[] {
  const { paint, ui } = picture
  const transcript = transcriptOf(picture)
  const { block, line } = clamped(ui.reading ?? { block: 0, line: 0 }, transcript)
  const room = Math.max(1, rows - 1)
  const words = draftText(ui.search)
  const marked = (index: number): readonly string[] =>
    transcript.lines(index).map((each) => {
      const shown = words === '' ? each : highlighted(each, words, paint)
      return index === block ? `${paint('cyan', '▌')} ${shown}` : `  ${shown}`
    })
  const before = around(transcript, block, { step: -1, rows: room, marked })
  const own = marked(block)
  const all = [...before, ...own, ...around(transcript, block, { step: 1, rows: room + line, marked })]
  const wanted = before.length + line - Math.floor(room / 3)
  const top = Math.max(0, Math.min(wanted, all.length - room))
  const shown = all.slice(top, top + room)
  const place = [` ${block + 1} of ${transcript.count}`, `line ${line + 1} of ${own.length}`]
  const hint = words === '' ? '/ search' : `n N ${words}`
  const bar = fitParts([...place, hint, '? keys', 'Esc back', 'Enter fold', 'y copy', 'o open', 'v whole'], columns)
  return [...shown, ...Array<string>(room - shown.length).fill(''), paint('inverse', bar)]
}

interface Around {
  readonly step: 1 | -1
  readonly rows: number
  readonly marked: (index: number) => readonly string[]
}

/** Lines before or behind a block, as many as a screen could show. */
function around({ count }: ReadTranscript, from: number, { step, rows, marked }: Around): readonly string[] {
  let lines: readonly string[] = []
  for (let index = from + step; index >= 0 && index < count && lines.length < rows; index += step)
    lines = step > 0 ? [...lines, ...marked(index)] : [...marked(index), ...lines]
  return step > 0 ? lines.slice(0, rows) : lines.slice(-rows)
}

/** A line with each place of the words turned over; such a line has no other tone. */
function highlighted(line: string, words: string, paint: Paint): string {
  const text = stripVTControlCharacters(line)
  const [low, wanted] = [text.toLowerCase(), words.toLowerCase()]
  // A letter whose small form is longer would put every place behind it elsewhere.
  if (!low.includes(wanted) || low.length !== text.length) return line
  const pieces = low.split(wanted)
  let at = 0
  return pieces
    .map((piece, n) => {
      const before = text.slice(at, at + piece.length)
      const match = n < pieces.length - 1 ? text.slice(at + piece.length, at + piece.length + wanted.length) : ''
      at += piece.length + match.length
      return match === '' ? before : before + paint('inverse', match)
    })
    .join('')
}
