import { textOf, type Message, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import type { Logged } from './logged.ts'

/** A reading of a file, or the todo list as it was written; `index`: the place of its result. */
interface Touch {
  readonly index: number
  readonly id: string
}

const changing = new Set(['Write', 'Edit', 'MultiEdit'])

/**
 * The calls whose results are out of date: the same was read again later, the file was changed, or the todo list was
 * replaced.
 *
 * @param end results from this place on are left as they are
 * @returns their ids, by the place of the message with their results
 */
export function staleResults(log: readonly Logged[], end: number): ReadonlyMap<number, readonly string[]> {
  const reads = new Map<string, Map<string, Touch>>()
  const stale = new Map<number, string[]>()
  const outdate = ({ index, id }: Touch): void => {
    if (index >= end) return
    const known = stale.get(index)
    if (known) known.push(id)
    else stale.set(index, [id])
  }
  log.forEach(({ message }, index) => {
    if (message.role !== 'assistant') return
    for (const call of message.content) {
      const path = call.type === 'tool_use' ? pathOf(call) : null
      if (call.type !== 'tool_use' || path === null) continue
      const place = resultsAt(log, index)
      if (!holds(log[place]?.message, call.id)) continue
      const parts = reads.get(path) ?? new Map<string, Touch>()
      const part = partOf(call)
      const before = parts.get(part)
      if (part === whole) parts.forEach(outdate)
      else if (before) outdate(before)
      if (part === whole) parts.clear()
      if (!changing.has(call.name)) parts.set(part, { index: place, id: call.id })
      reads.set(path, parts)
    }
  })
  return stale
}

/** Whether a call has a result with a content: one in brackets tells of a content that stands elsewhere, or of none. */
function holds(message: Message | undefined, id: string): boolean {
  const result = message?.role === 'tool' ? message.results.find(({ call_id }) => call_id === id) : undefined
  if (result === undefined || result.is_error) return false
  return result.tool !== 'Read' || !textOf(result).startsWith('[')
}

/** The place of the results of an answer's calls; -1 where there are none. */
export function resultsAt(log: readonly Logged[], index: number): number {
  for (let place = index + 1; place < log.length; place += 1) {
    const role = log[place]?.message.role
    if (role === 'tool') return place
    if (role === 'assistant') return -1
  }
  return -1
}

/** The path of a file, or the name of the tool for the todo list. */
function pathOf({ name, input }: ToolUseBlock): string | null {
  if (name === 'TodoWrite') return name
  if (name !== 'Read' && !changing.has(name)) return null
  const path = fieldOf(input, 'file_path')
  return typeof path === 'string' ? path : null
}

const whole = ''

/** The part of a file that a call reads: a later reading of the same part, or of the whole file, has it, too. */
function partOf({ input }: ToolUseBlock): string {
  const [offset, limit] = [fieldOf(input, 'offset'), fieldOf(input, 'limit')]
  return offset === undefined && limit === undefined ? whole : `${String(offset)} ${String(limit)}`
}

function fieldOf(input: unknown, key: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined
}
