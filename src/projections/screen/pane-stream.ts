/**
 * A text that is still being written: finished paragraphs, which never change, and the one at its end. A screen breaks
 * only the last one into lines again.
 */
export interface TextStream {
  readonly finished: Paragraph[]
  open: string
}

export interface Paragraph {
  readonly text: string
}

/** A paragraph without an end is cut at this many characters, where a word ends. */
const longestParagraph = 2_000

export function emptyStream(): TextStream {
  return { finished: [], open: '' }
}

/** Takes what was written next. */
export function extend(stream: TextStream, text: string): void {
  const lines = (stream.open + text).split('\n')
  stream.open = lines.pop() ?? ''
  for (const line of lines) stream.finished.push({ text: line })
  while (stream.open.length > longestParagraph) {
    const space = stream.open.lastIndexOf(' ', longestParagraph)
    const end = space > 0 ? space + 1 : longestParagraph
    stream.finished.push({ text: stream.open.slice(0, end) })
    stream.open = stream.open.slice(end)
  }
}

export function clear(stream: TextStream): void {
  stream.finished.length = 0
  stream.open = ''
}

export function isEmpty({ finished, open }: TextStream): boolean {
  return finished.length === 0 && open === ''
}
