import { isDeepStrictEqual } from 'node:util'
import { eventFrames } from '../../projections/fold/event-frame.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { EventFrame, FactEvent, RunEvent } from '../../protocol/facts/run-event.ts'
import { readRunFile } from '../../adapters/sessions/read-run.ts'
import type { Holder } from '../../adapters/lease/lease.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { longestTimer } from '../../protocol/words/duration.ts'
import { systemClock } from '../actors/clock.ts'
import { lastLeader, leadingPid } from './leader.ts'
import { watchRun } from './watch-run.ts'

/*
 * Owns the stream of events of one run, for as many readers as like: one watch, and one list of facts.
 * Never: makes a run wait for a reader, loses a fact, or grows with the number of readers.
 * 1. A reader is a place in the list of facts: one that comes late gets what was, one that is slow gets all of it later.
 * 2. Live events wait for a reader up to a bound; those beyond it are counted where they would have stood.
 * 3. The stream ends when nobody leads the run any more and all facts are told.
 */
export interface RunFeed {
  /**
   * Tells what was and then what is, some events at a time.
   * @param options.after number of the last fact that the reader has (default: none)
   */
  read(options?: ReadOptions): AsyncIterable<readonly RunEvent[]>
  /** Number of the latest fact. */
  latest(): number
  /** The run has no leader any more: no fact will come. */
  isOver(): boolean
  /** Ends the watch, and every reader. */
  close(): void
}

interface ReadOptions {
  readonly after?: number
  readonly signal?: AbortSignal | undefined
}

interface Reader {
  /** Number of the last fact that it has. */
  at: number
  readonly live: RunEvent[]
  wake: () => void
}

/** Live events that wait for one reader, and events that it gets at a time. */
const mostLive = 1_000
const mostAtOnce = 200

/**
 * Opens the events of a run, in whatever process it is led; nothing of the run is touched.
 * @param onProblem hears of lines that are no entries
 * @example for await (const events of openRunFeed(dir, console.error).read()) show(events)
 */
export function openRunFeed(dir: string, onProblem: (text: string) => void): RunFeed {
  const run = readRunFile(dir)
  const envelopes = openEnvelopes(dir)
  const end = endOf(dir, run)
  const state = { facts: [] as RunEvent[], closed: false, isOver: end.isOver }
  const readers = new Set<Reader>()
  const wakeAll = (): void => {
    for (const reader of readers) reader.wake()
  }
  const { now } = systemClock()
  const stop = watchRun(dir, {
    recorded(batch) {
      for (const recorded of batch) state.facts.push(envelopes.fact(recorded))
      wakeAll()
    },
    live(event) {
      if (event.type === 'entry' || readers.size === 0) return
      const told = { ...event, ...envelopes.frame(event.member, now()) }
      for (const reader of readers) hear(reader, told)
    },
    stand({ led }) {
      end.look(led)
      if (end.isOver()) wakeAll()
    },
    problem: onProblem,
  })
  return {
    read: ({ after = 0, signal } = {}) => readFrom(state, readers, { after, signal }),
    latest: () => state.facts.length,
    isOver: end.isOver,
    close() {
      stop()
      state.closed = true
      wakeAll()
    },
  }
}

/** The envelopes of one stream of a run: each fact has the next number, anything else that of the fact before it. */
interface Envelopes {
  readonly fact: (recorded: Recorded) => EventFrame & FactEvent
  readonly frame: (member: string, at: number) => EventFrame
}

/**
 * Numbers the events of a run from 1 on.
 * @param earlier facts before the first event
 * @example openEnvelopes(dir).fact(recorded).seq // 1
 */
export function openEnvelopes(dir: string, earlier: readonly Recorded[] = []): Envelopes {
  const run = readRunFile(dir)
  const frames = eventFrames({ run: run?.run ?? '', root: run?.team.coordinator ?? '' })
  for (const each of earlier) frames.apply(each)
  let seq = 0
  return {
    fact(recorded) {
      const { owner, entry } = recorded
      frames.apply(recorded)
      seq += 1
      return { ...frames.frame(owner, seq, entry.at), type: 'fact', fact: entry }
    },
    frame: (member, at) => frames.frame(member, seq, at),
  }
}

/** Whether a run has ended, as the last look saw it. Since then another leader may have begun, and even ended. */
function endOf(dir: string, run: RunFile | null) {
  let ended: { readonly leader: Holder | null } | null = null
  return {
    isOver: (): boolean => ended !== null && isDeepStrictEqual(lastLeader(dir), ended.leader),
    look(led: boolean): void {
      const leader = lastLeader(dir)
      ended = !led && leadingPid(dir, run) === null ? { leader } : null
    },
  }
}

/** A live event waits for a reader, or is counted. */
function hear(reader: Reader, event: RunEvent): void {
  const { live } = reader
  const last = live.at(-1)
  const { v, seq, at, run, member, turn, depth } = event
  const dropped = (count: number): RunEvent => ({ v, seq, at, run, member, turn, depth, type: 'dropped', count })
  if (live.length < mostLive) live.push(event)
  else if (last?.type === 'dropped') live[live.length - 1] = dropped(last.count + 1)
  else live.push(dropped(1))
  reader.wake()
}

interface FeedState {
  readonly facts: readonly RunEvent[]
  readonly isOver: () => boolean
  readonly closed: boolean
}

async function* readFrom(
  state: FeedState,
  readers: Set<Reader>,
  { after, signal }: Required<ReadOptions>,
): AsyncIterable<readonly RunEvent[]> {
  const reader: Reader = { at: Math.min(after, state.facts.length), live: [], wake: () => undefined }
  const wake = (): void => reader.wake()
  const isLeft = (): boolean => signal?.aborted === true
  // A reader that waits keeps its process alive: the watch alone does not.
  const alive = setInterval(wake, longestTimer)
  signal?.addEventListener('abort', wake)
  readers.add(reader)
  try {
    while (!isLeft() && !state.closed) {
      const events = taken(reader, state.facts)
      if (events.length > 0) yield events
      else if (state.isOver()) return
      else await new Promise<void>((resolve) => (reader.wake = resolve))
    }
  } finally {
    readers.delete(reader)
    clearInterval(alive)
    signal?.removeEventListener('abort', wake)
  }
}

/** The next events for a reader: facts by their numbers, and each live event behind the fact that it followed. */
function taken(reader: Reader, facts: readonly RunEvent[]): readonly RunEvent[] {
  const events: RunEvent[] = []
  let heard = 0
  while (events.length < mostAtOnce) {
    const live = reader.live[heard]
    const fact = facts[reader.at]
    if (live !== undefined && live.seq <= reader.at) {
      events.push(live)
      heard += 1
    } else if (fact !== undefined) {
      events.push(fact)
      reader.at += 1
    } else break
  }
  reader.live.splice(0, heard)
  return events
}

/**
 * Every event of a run, those that are there and those to come, until nobody leads the run or the signal aborts.
 * @example for await (const event of runEvents(dir)) if (event.type === 'fact') print(event.fact.type)
 */
export async function* runEvents(
  dir: string,
  { signal, onProblem = () => undefined }: RunEventsOptions = {},
): AsyncIterable<RunEvent> {
  const feed = openRunFeed(dir, onProblem)
  try {
    for await (const events of feed.read({ signal })) yield* events
  } finally {
    feed.close()
  }
}

interface RunEventsOptions {
  readonly signal?: AbortSignal
  /** Hears of lines of the journals that are no entries. */
  readonly onProblem?: (problem: string) => void
}
