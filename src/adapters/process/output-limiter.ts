/** Keeps the beginning and the end of a text of any length in bounded memory. */
export interface OutputLimiter {
  push(text: string): void
  /** The kept text, with a line that says how much was cut out of the middle. */
  text(): string
}

export interface OutputLimits {
  /** Characters kept of the beginning. */
  readonly head: number
  /** Characters kept of the end. */
  readonly tail: number
}

/**
 * Takes text piece by piece and keeps its first `head` and last `tail` characters. Never splits a code point.
 *
 * @example
 * const limiter = limitOutput({ head: 2, tail: 2 })
 * limiter.push('abcdef')
 * limiter.text() // 'ab\n[… 2 characters cut …]\nef'
 */
export function limitOutput(limits: OutputLimits): OutputLimiter {
  let head = ''
  let tail = ''
  let total = 0
  let pieces: string[] = []
  let pending = 0

  const settle = (): void => {
    tail = (tail + pieces.join('')).slice(-limits.tail)
    pieces = []
    pending = 0
  }

  return {
    push(text) {
      const room = Math.max(0, limits.head - head.length)
      head += text.slice(0, room)
      total += text.length
      const rest = text.slice(room)
      // Output that is longer than the kept end needs none of the text before it.
      if (rest.length >= limits.tail) {
        tail = rest.slice(-limits.tail)
        pieces = []
        pending = 0
        return
      }
      pieces.push(rest)
      pending += rest.length
      if (pending > limits.tail) settle()
    },
    text() {
      settle()
      if (total <= head.length + tail.length) return head + tail
      const first = withoutHalfAtEnd(head)
      const last = withoutHalfAtStart(tail)
      const cut = total - first.length - last.length
      return `${first}\n[… ${cut.toLocaleString('en-US')} characters cut …]\n${last}`
    },
  }
}

/** Room that the line about the cut may need. */
const noticeLength = 60

/**
 * Cuts a text down to `max` characters, the notice included: a fifth of the room for its beginning, the rest for its end.
 *
 * @example cutMiddle('short', 30_000) // 'short'
 */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const limiter = limitOutput(limitsFor(max))
  limiter.push(text)
  return limiter.text()
}

/** Head and tail that together with the notice stay within `max`; ends matter more, errors stand there. */
export function limitsFor(max: number): OutputLimits {
  const room = Math.max(2, max - noticeLength)
  const head = Math.ceil(room / 5)
  return { head, tail: room - head }
}

function withoutHalfAtEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}

function withoutHalfAtStart(text: string): string {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text
}
