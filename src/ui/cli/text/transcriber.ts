import { applyTranscript, emptyTranscript } from '../../../projections/screen/transcript.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'
import { transcriptText, type TranscriptStyle } from './transcript-text.ts'

/** Text for what is new. */
export type Show = (fresh: readonly Recorded[]) => string

/** Folds all entries of one call before the first is shown, so that withdrawn messages do not appear. */
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
