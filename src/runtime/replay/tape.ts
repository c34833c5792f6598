import type { EntryOf } from '../../projections/fold/fold.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { ToolResult, UserMessage } from '../../protocol/conversation/message.ts'
import { differing, factOf, isSame, type Difference } from './difference.ts'
import { originsOf, type FactOrigin } from './fact-origin.ts'

/*
 * The recorded facts of one life of a member, read from the front.
 * Owns: how far the replay has come, and the comparison of a replayed fact with the recorded one.
 * 1. Facts that machines state are matched in order, with all fields but the time.
 * 2. Facts that ports note (mail, costs, files) have no machine that states them: they are passed over.
 * 3. A message of the runtime may be either: it is matched when a machine states it here, else passed over.
 */

type CallEntry = Extract<Entry, { call_id: string }>

export interface Tape {
  /** The n-th fact from here that a machine states for sure. */
  next(n?: number): Entry | undefined
  /** The facts of one call from here until the results of its turn. */
  ofCall(id: string): readonly CallEntry[]
  /** The first fact from here of this type. */
  find<Type extends Entry['type']>(type: Type): EntryOf<Type> | undefined
  /** The results of the calls in hand; undefined where the journal ends before them. */
  results(): readonly ToolResult[] | undefined
  /** The fact that a machine states after those results. */
  afterResults(): Entry | undefined
  /** Messages in the user's place directly after the next fact of this type. */
  messagesAfter(type: Entry['type']): readonly UserMessage[]
  /** How many recorded facts were passed. */
  passed(): number
  isOver(): boolean
  /** Passes the next fact, which no machine states. */
  skip(): void
  /** Matches facts that a machine stated. @returns the first difference, or null */
  take(facts: readonly Fact[]): Difference | null
  /** The difference of a machine that does not come to the next fact. */
  stuck(): Difference
}

interface Reading {
  readonly entries: readonly Entry[]
  readonly origins: readonly FactOrigin[]
  /** Indexes of entries that a machine states. */
  readonly stated: readonly number[]
  /** The first index that is not passed, among the entries and among the stated ones. */
  at: number
  ahead: number
}

/** @param origins where the facts come from; those of a member when left out */
export function openTape(entries: readonly Entry[], origins: readonly FactOrigin[] = originsOf(entries)): Tape {
  const stated = entries.flatMap((_, index) => (origins[index] === 'stated' ? [index] : []))
  const reading: Reading = { entries, origins, stated, at: 0, ahead: 0 }
  return {
    next: (n = 0) => statedAt(reading, n),
    ofCall: (id) =>
      untilResults(reading).filter((entry): entry is CallEntry => 'call_id' in entry && entry.call_id === id),
    find<Type extends Entry['type']>(type: Type) {
      return entries[indexOf(reading, type)] as EntryOf<Type> | undefined
    },
    results() {
      const last = untilResults(reading).at(-1)
      if (last?.type !== 'message.appended' || last.message.role !== 'tool') return undefined
      return unwarned(last.message.results)
    },
    afterResults: () => statedAt(reading, untilResults(reading).length),
    messagesAfter: (type) => wordsFrom(entries, indexOf(reading, type) + 1),
    passed: () => reading.at,
    isOver: () => statedAt(reading, 0) === undefined,
    take(facts) {
      for (const fact of facts) {
        const difference = match(reading, JSON.parse(JSON.stringify(fact)) as Fact)
        if (difference !== null) return difference
      }
      return null
    },
    skip: () => void (reading.at += 1),
    stuck: () => differing(statedAt(reading, 0), null),
  }
}

function statedAt(reading: Reading, n: number): Entry | undefined {
  const { stated, entries, at } = reading
  while ((stated[reading.ahead] ?? Infinity) < at) reading.ahead += 1
  return entries[stated[reading.ahead + n] ?? entries.length]
}

function untilResults(reading: Reading): readonly Entry[] {
  const found: Entry[] = []
  for (let entry = statedAt(reading, 0); entry !== undefined; entry = statedAt(reading, found.length)) {
    found.push(entry)
    if (entry.type === 'message.appended' && entry.message.role === 'tool') break
  }
  return found
}

/** The index of the first entry of this type that is not passed; that of the end when there is none. */
function indexOf({ entries, at }: Reading, type: Entry['type']): number {
  let index = at
  while (index < entries.length && entries[index]?.type !== type) index += 1
  return index
}

function wordsFrom(entries: readonly Entry[], start: number): readonly UserMessage[] {
  const words: UserMessage[] = []
  for (let index = start; index < entries.length; index += 1) {
    const entry = entries[index]
    if (entry?.type !== 'message.appended' || entry.message.role !== 'user') break
    words.push(entry.message)
  }
  return words
}

/** Passes the recorded fact that equals this one, and what ports noted before it. */
function match(reading: Reading, fact: Fact): Difference | null {
  const { entries, origins } = reading
  let nearest: Entry | undefined
  for (; reading.at < entries.length; reading.at += 1) {
    const [entry, origin] = [entries[reading.at], origins[reading.at]]
    if (entry === undefined || origin === 'noted') continue
    if (isSame(factOf(entry), fact)) {
      reading.at += 1
      return null
    }
    if (entry.type === fact.type) nearest ??= entry
    if (origin === 'stated') return differing(nearest ?? entry, fact)
  }
  return nearest === undefined ? null : differing(nearest, fact)
}

/** Results as their calls ended: the agent's warning that it stands still is the machine's to add again. */
function unwarned(results: readonly ToolResult[]): readonly ToolResult[] {
  return results.map((result, index) => {
    const last = result.content.at(-1)
    const isWarned = index === results.length - 1 && last?.type === 'text' && standstill.test(last.text)
    return isWarned ? { ...result, content: result.content.slice(0, -1) } : result
  })
}

const standstill = /^\[No progress: this was done \d+ times with the same result, .* the work is ended\.\]$/
