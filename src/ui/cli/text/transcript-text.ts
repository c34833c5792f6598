import { type TranscriptLine, applyTranscript, emptyTranscript } from '../../../projections/screen/transcript.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { type Paint, type Tone, fitWidth } from '../../text/terminal-text.ts'
import { localTime } from '../../../protocol/words/local-time.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'

export interface TranscriptStyle {
  readonly paint: Paint
  /** Several members are shown: received mail is named only, its text stands where it was sent. */
  readonly several: boolean
  /** Tool results are printed whole. */
  readonly full: boolean
}

const marks: Readonly<Record<TranscriptLine['kind'], readonly [string, Tone]>> = {
  person: ['»', 'bold'],
  note: ['·', 'dim'],
  think: ['~', 'dim'],
  say: ['', 'bold'],
  call: ['→', 'cyan'],
  result: ['←', 'dim'],
  error: ['✗', 'red'],
  sent: ['✉', 'green'],
  received: ['✉', 'dim'],
  life: ['·', 'dim'],
  warning: ['!', 'yellow'],
  end: ['■', 'bold'],
}

const shownLines = 8
const resultHeadWidth = 72

/** One paragraph of a transcript as text, with a line end. */
function transcriptText(line: TranscriptLine, { paint, several, full }: TranscriptStyle): string {
  const [mark, tone] = marks[line.kind]
  const said = line.kind === 'result' ? fitWidth(plainLine(line.head), resultHeadWidth) : plainLine(line.head)
  const head = [localTime(line.at).clock, line.entry, mark, said].filter((part) => part !== '').join(' ')
  const body = several && line.kind === 'received' ? '' : bodyOf(line, full)
  return `${paint(tone, head)}\n${body}`
}

function bodyOf({ kind, text }: TranscriptLine, full: boolean): string {
  const lines = plainText(text).trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return ''
  // A command says last how it went.
  const cut = !full && (kind === 'result' || kind === 'error' || kind === 'think') ? lines.slice(-shownLines) : lines
  const before = lines.length - cut.length
  const note = before > 0 ? [`… ${before} line(s) before this, see --full`] : []
  return [...note, ...cut].map((part) => `    ${part}\n`).join('')
}

/** Text for what is new. */
type Show = (fresh: readonly Recorded[]) => string

/**
 * Folds all entries of one call before the first is shown, so that withdrawn messages do not appear. A line of its own says
 * from which day on, and in which zone, the clock of a paragraph counts.
 */
export function transcriber(style: TranscriptStyle): Show {
  const transcript = emptyTranscript()
  let shown = 0
  let dated = ''
  const withDay = (line: TranscriptLine): string => {
    const { day, zone } = localTime(line.at)
    const date = `${day} ${zone}`
    const head = date === dated ? '' : `${style.paint('dim', date)}\n`
    dated = date
    return head + transcriptText(line, style)
  }
  return (fresh) => {
    for (const recorded of fresh) applyTranscript(transcript, recorded)
    const lines = transcript.lines.slice(shown)
    shown = transcript.lines.length
    return lines.map(withDay).join('')
  }
}
