import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'

/** A fact of the journal that the machines state otherwise, or do not state at all. */
export interface Difference {
  /** The id of the recorded entry; null where the journal ends. */
  readonly entry: string | null
  readonly recorded: Fact | null
  readonly replayed: Fact | null
  /** Where the two differ first: `reason`, `message.content.0.text`. */
  readonly field: string | null
}

/** A fact without its frame. */
export function factOf(entry: Entry): Fact {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !frame.has(key))) as Fact
}

const frame: ReadonlySet<string> = new Set(['v', 'seq', 'id', 'parent', 'at', 'heard'])

/** Whether two facts say the same: with all fields but the times at which something is due. */
export function isSame(recorded: Fact, replayed: Fact): boolean {
  return isDeepStrictEqual(recorded, replayed) || isDeepStrictEqual(undated(recorded), undated(replayed))
}

const dated: ReadonlySet<string> = new Set(['gather.opened', 'request.opened', 'task.claimed', 'stop.asked'])

function undated(fact: Fact): object {
  if (!dated.has(fact.type)) return fact
  return Object.fromEntries(Object.entries(fact).filter(([key]) => key !== 'deadline' && key !== 'until'))
}

/** The first difference between a recorded entry and a replayed fact. */
export function differing(entry: Entry | undefined, replayed: Fact | null): Difference {
  const recorded = entry === undefined ? null : factOf(entry)
  const field = recorded === null || replayed === null ? null : firstField(recorded, replayed)
  return { entry: entry?.id ?? null, recorded, replayed, field }
}

/** The path of the first field in which two values differ. */
function firstField(a: unknown, b: unknown): string | null {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return null
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (isDeepStrictEqual(one[key], other[key])) continue
    const inner = firstField(one[key], other[key])
    return inner === null ? key : `${key}.${inner}`
  }
  return null
}
