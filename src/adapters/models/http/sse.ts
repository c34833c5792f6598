import { parseJson } from '../../fs/parse-json.ts'

/** Cuts a stream of server-sent events into the `data` of each event, however the bytes were split. */
export interface EventCutter {
  /** The events that this piece completes. */
  feed(chunk: string): readonly string[]
  /** The last event, where the stream ended without the blank line that closes one. */
  end(): readonly string[]
}

const nothing: readonly string[] = []
/** Characters of an event that has not ended: a server that ends none would fill the memory. */
const longestRest = 64 * 1024 * 1024
const fields = ['data:', 'event:', 'id:', 'retry:', ':']

/** Whether a text without any event is the beginning of a stream: fields and comments, cut at any place. */
export function isBeginning(text: string): boolean {
  const lines = text.trim().split(/[\r\n]/)
  return lines.every((line) => fields.some((field) => line.startsWith(field) || field.startsWith(line)))
}

type DataOf = (field: string, value: string) => string | undefined

/**
 * `eventCutter().feed('data: {"a":1}\n\n')` → `['{"a":1}']`. All three line ends count, comments and other
 * fields are skipped, several `data` lines are one event (WHATWG HTML, 9.2.6).
 *
 * @param dataOf the data in a field of another name, for servers that use one
 */
export function eventCutter(dataOf: DataOf = () => undefined): EventCutter {
  let rest = ''
  let half = false
  let data: string | undefined
  const takeLines = (text: string, events: string[]): string => {
    let from = 0
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      if (to === from) {
        if (data?.includes('\n')) events.push(...apart(data))
        else if (data !== undefined) events.push(data)
        data = undefined
      } else {
        const line = text.slice(from, to)
        const value = dataIn(line, dataOf)
        if (value === undefined) data = data === '' ? below(line) : data
        else data = data === undefined ? value : `${data}\n${value}`
      }
      from = to + 1
    }
    return from === 0 ? text : text.slice(from)
  }
  return {
    feed(chunk) {
      // A long line grows piece by piece: its end is looked at without making one text of it.
      const isInside = !half && !/[\n\r]/.test(chunk)
      rest = longer(rest, chunk)
      if (isInside || chunk === '') return nothing
      const events: string[] = []
      // A carriage return at the very end may be half of a line end.
      half = chunk.endsWith('\r')
      const text = half ? rest.slice(0, -1) : rest
      rest = takeLines(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text, events) + (half ? '\r' : '')
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

function longer(rest: string, chunk: string): string {
  if (rest.length + chunk.length > longestRest) throw new Error('the server sent an event that does not end')
  return rest + chunk
}

/** Some servers put one line end between events: where every line says something whole, each is an event. */
function apart(data: string): readonly string[] {
  const lines = data.split('\n')
  return lines.every((line) => line === '[DONE]' || typeof parseJson(line) === 'object') ? lines : [data]
}

/** And some put what belongs to an empty field into the line below it. */
function below(line: string): string {
  const text = line.trim()
  return /^[[{]/.test(text) ? text : ''
}

/** The data of a line that has some. A byte order mark may come first. */
function dataIn(line: string, dataOf: DataOf): string | undefined {
  const text = line.startsWith('\uFEFF') ? line.slice(1) : line
  const colon = text.indexOf(':')
  if (colon === -1) return text === 'data' ? '' : undefined
  const field = text.slice(0, colon)
  const value = text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
  return field === 'data' ? value : dataOf(field, value)
}
