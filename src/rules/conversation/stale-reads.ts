import { callsOf, textOf, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import type { Logged } from './logged.ts'

/** A call that touched a file. */
interface Touch {
  readonly index: number
  readonly call: ToolUseBlock
}

const changing = new Set(['Write', 'Edit', 'MultiEdit'])

/**
 * The calls that read what is out of date: the same was read again later, or the file was changed.
 *
 * @returns their ids, by the place of the message with their results
 */
export function staleResults(log: readonly Logged[]): ReadonlyMap<number, readonly string[]> {
  const reads = new Map<string, Touch[]>()
  const stale = new Map<number, string[]>()
  const outdate = (touches: readonly Touch[]): void => {
    for (const { index, call } of touches) stale.set(index, [...(stale.get(index) ?? []), call.id])
  }
  for (const [index, { message }] of log.entries()) {
    if (message.role !== 'assistant' || !callsOf(message).some((call) => pathOf(call) !== null)) continue
    const place = resultsAt(log, index)
    const next = log[place]?.message
    if (next?.role !== 'tool') continue
    // A result in brackets tells of a content that stands elsewhere, or of none.
    const failed = new Set(
      next.results
        .filter((result) => result.is_error || (result.tool === 'Read' && textOf(result).startsWith('[')))
        .map(({ call_id }) => call_id),
    )
    for (const call of callsOf(message)) {
      const path = pathOf(call)
      if (path === null || failed.has(call.id)) continue
      const before = reads.get(path) ?? []
      const isOver = (read: Touch): boolean => changing.has(call.name) || covers(call, read.call)
      outdate(before.filter(isOver))
      const still = before.filter((read) => !isOver(read))
      reads.set(path, call.name === 'Read' ? [...still, { index: place, call }] : still)
    }
  }
  return stale
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

function pathOf({ name, input }: ToolUseBlock): string | null {
  if (name !== 'Read' && !changing.has(name)) return null
  const path = fieldOf(input, 'file_path')
  return typeof path === 'string' ? path : null
}

/** A later reading of the whole file, or of the same part. */
function covers(later: ToolUseBlock, { input }: ToolUseBlock): boolean {
  const [offset, limit] = [fieldOf(later.input, 'offset'), fieldOf(later.input, 'limit')]
  if (offset === undefined && limit === undefined) return true
  return offset === fieldOf(input, 'offset') && limit === fieldOf(input, 'limit')
}

function fieldOf(input: unknown, key: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined
}
