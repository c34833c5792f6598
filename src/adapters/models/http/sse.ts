import { parseJson } from '../../fs/parse-json.ts'

/** Cuts a stream of server-sent events into the `data` of each event, however the bytes were split. */
export interface EventCutter {
  /** The events that this piece completes. */
  feed(chunk: string): readonly string[]
  /** What the stream ended in without the blank line that closes an event. */
  end(): readonly string[]
}

const nothing: readonly string[] = []
const fields = ['data:', 'event:', 'id:', 'retry:', ':']

/** Whether a text without any event is the beginning of a stream: fields and comments, cut at any place. */
export function isBeginning(text: string): boolean {
  const lines = text.trim().split(/[\r\n]/)
  return lines.every((line) => fields.some((field) => line.startsWith(field) || field.startsWith(line)))
}

/**
 * `eventCutter().feed('data: {"a":1}\n\n')` → `['{"a":1}']`. All three line ends count, comments and other
 * fields are skipped, several `data` lines are one event (WHATWG HTML, 9.2.6).
 */
export function eventCutter(): EventCutter {
  let rest = ''
  let data: string | undefined
  const takeLines = (text: string, events: string[]): string => {
    let from = 0
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      if (to === from) {
        if (data?.includes('\n')) events.push(...apart(data))
        else if (data !== undefined) events.push(data)
        data = undefined
      } else {
        const value = dataIn(text, from, to)
        if (value === undefined) data = data === '' ? below(text, from, to) : data
        else data = data === undefined ? value : `${data}\n${value}`
      }
      from = to + 1
    }
    return from === 0 ? text : text.slice(from)
  }
  return {
    feed(chunk) {
      rest += chunk
      if (!chunk.includes('\n') && !chunk.includes('\r') && !rest.endsWith('\r' + chunk)) return nothing
      const events: string[] = []
      // A carriage return at the very end may be half of a line end.
      const pending = rest.endsWith('\r') ? '\r' : ''
      const text = pending === '' ? rest : rest.slice(0, -1)
      rest = takeLines(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text, events) + pending
      return events
    },
    end() {
      const events: string[] = []
      takeLines(`${rest}\n\n`, events)
      rest = ''
      return events
    },
  }
}

/** Some servers put one line end between events: where every line says something whole, each is an event. */
function apart(data: string): readonly string[] {
  const lines = data.split('\n')
  return lines.every((line) => line === '[DONE]' || typeof parseJson(line) === 'object') ? lines : [data]
}

/** And some put what belongs to an empty field into the line below it. */
function below(text: string, from: number, to: number): string {
  const line = text.slice(from, to).trim()
  return /^[[{]/.test(line) ? line : ''
}

/** The value of the line from..to when it is a `data` field. A byte order mark may come first. */
function dataIn(text: string, from: number, to: number): string | undefined {
  const start = text.charCodeAt(from) === 0xfeff ? from + 1 : from
  // Older llama.cpp says what went wrong in a field of that name.
  if (text.startsWith('error:', start)) return `{"error":${text.slice(start + 6, to)}}`
  if (!text.startsWith('data', start)) return undefined
  if (start + 4 === to) return ''
  if (text[start + 4] !== ':') return undefined
  return text.slice(text[start + 5] === ' ' ? start + 6 : start + 5, to)
}
