import { applyTranscript, emptyTranscript } from '../../../projections/screen/transcript.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'
import { transcriptText, type TranscriptStyle } from './transcript-text.ts'

/** Text for what is new. */
export type Show = (fresh: readonly Recorded[]) => string

/** Everything given at once is folded before it is shown, so that what was withdrawn does not appear. */
export function transcriber(style: TranscriptStyle): Show {
  const transcript = emptyTranscript()
  let shown = 0
  return (fresh) => {
    for (const recorded of fresh) applyTranscript(transcript, recorded)
    const lines = transcript.lines.slice(shown)
    shown = transcript.lines.length
    return lines.map((line) => transcriptText(line, style)).join('')
  }
}
