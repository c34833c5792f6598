import type { Message, ToolUseBlock } from '../../protocol/conversation/message.ts'
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
 * @returns their ids, at the place of the message with their results
 */
export function staleResults(log: readonly Logged[], end: number): readonly (readonly string[] | undefined)[] {
  const [wholes, parts] = [new Map<string, Touch>(), new Map<string, Map<string, Touch>>()]
  const stale = [] as (string[] | undefined)[]
  const outdate = (touch: Touch | undefined): void => {
    if (touch === undefined || touch.index >= end) return
    const known = stale[touch.index]
    if (known) known.push(touch.id)
    else stale[touch.index] = [touch.id]
  }
  for (const [index, { message }] of log.entries()) {
    if (message.role !== 'assistant') continue
    for (const call of message.content) {
      const path = call.type === 'tool_use' ? pathOf(call) : null
      if (call.type !== 'tool_use' || path === null) continue
      const touch = { index: resultsAt(log, index), id: call.id }
      if (!holds(log[touch.index]?.message, call.id)) continue
      const [part, of] = [partOf(call), parts.get(path)]
      if (part === whole) {
        outdate(wholes.get(path))
        of?.forEach(outdate)
        parts.delete(path)
        if (changing.has(call.name)) wholes.delete(path)
        else wholes.set(path, touch)
      } else {
        outdate(of?.get(part))
        if (of === undefined) parts.set(path, new Map([[part, touch]]))
        else of.set(part, touch)
      }
    }
  }
  return stale
}

/** Whether a call has a result with a content: one in brackets tells of a content that stands elsewhere, or of none. */
function holds(message: Message | undefined, id: string): boolean {
  const result = message?.role === 'tool' ? message.results.find(({ call_id }) => call_id === id) : undefined
  if (result === undefined || result.is_error) return false
  const [first] = result.content
  return result.tool !== 'Read' || first?.type !== 'text' || !first.text.startsWith('[')
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
function partOf({ name, input }: ToolUseBlock): string {
  if (changing.has(name)) return whole
  const [offset, limit] = [fieldOf(input, 'offset'), fieldOf(input, 'limit')]
  return offset === undefined && limit === undefined ? whole : `${String(offset)} ${String(limit)}`
}

function fieldOf(input: unknown, key: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined
}
