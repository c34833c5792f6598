import { callsOf, type AssistantMessage, type Message } from '../../protocol/conversation/message.ts'
import { isPiece } from './cut-answer.ts'
import { messageChars } from './fullness.ts'
import type { Logged } from './logged.ts'
import { savedBy } from './short-message.ts'
import { resultsAt, staleResults } from './stale-reads.ts'

/** The entries that are shortened or left out so that a conversation fits again. */
export interface Compaction {
  /** Entries whose long results are shortened. */
  readonly trimmed: readonly string[]
  /** Entries whose texts are shortened to so many characters. */
  readonly cut: Readonly<Record<string, number>>
  /** Calls whose results are out of date, by the entry of the results. */
  readonly stale: Readonly<Record<string, readonly string[]>>
  /** Entries that the model sees no more. */
  readonly dropped: readonly string[]
  /** Words are among what is left out: a summary has to stand in for them. */
  readonly summarises: boolean
  /** Characters of the conversation, and what is left of them. */
  readonly before: number
  readonly after: number
}

/** The aim of a compaction. */
export interface CompactionGoal {
  /** Characters that may be left. */
  readonly chars: number
  /** Messages that stay whole: what the agent was asked for and still owes. */
  readonly pinned?: (message: Message) => boolean
  /** The old part is summarised even where less would do: a person asked for it. */
  readonly whole?: boolean
}

/** So much of the goal is the end of the conversation, which stays as it is. */
const tailShare = 0.4
/** And so much may be words of people from before that. */
const [personShare, personChars] = [0.15, 2_000]
/** The least part of a conversation that a compaction has to save. */
const leastSaving = 0.1
/** Results of old rounds come down to this, where shortening long ones does not do. */
const briefChars = 300
/** At last every text that is not the agent's own comes down to the first of these that does. */
const lastCuts = [16_000, 8_000, 4_000, 2_000, 1_000, 500]

/** The plan while it is made; everything is by index into the log. Lists: maps of thousands of places take longer than the plan. */
interface Draft {
  readonly log: readonly Logged[]
  readonly sizes: number[]
  readonly trimmed: boolean[]
  readonly cut: Map<number, number>
  readonly stale: ReturnType<typeof staleResults>
  readonly dropped: boolean[]
  left: number
}

/**
 * Chooses what is shortened and left out of a conversation; the same for the same conversation. Each step is taken only
 * where the ones before do not reach the goal.
 *
 * 1. Images go, long results are shortened, readings that are out of date are left out.
 * 2. The oldest rounds go in which the agent said nothing; old results come down to a few words.
 * 3. Everything old goes but what is pinned, and a summary stands in for it.
 * 4. Long texts of others are cut, at last those of the latest round, too: no conversation is too long to go on.
 *
 * The end of the conversation stays as it is up to step 4. A round is an answer with all its results: it stays or goes as
 * a whole, and so do the pieces of one answer.
 *
 * @returns null when nothing of weight can be left out
 */
export function planCompaction(log: readonly Logged[], goal: CompactionGoal): Compaction | null {
  const sizes = log.map(({ message }) => messageChars(message))
  const before = sizes.reduce((sum, size) => sum + size, 0)
  const tail = tailOf(log, sizes, goal.chars * tailShare)
  const stale = staleResults(log, tail)
  const draft: Draft = { log, sizes, trimmed: [], cut: new Map(), stale, dropped: [], left: before }
  const isDone = (): boolean => draft.left <= goal.chars
  trim(draft, tail)
  if (!isDone() || goal.whole) dropMute(draft, tail, isDone)
  if (wouldDo(draft, tail, goal)) {
    for (let index = 0; index < tail && !isDone(); index += 1) {
      if (log[index]?.message.role === 'tool') shorten(draft, index, briefChars)
    }
  }
  const summarises = (!isDone() || goal.whole === true) && dropOld(draft, tail, goal)
  for (const chars of lastCuts) {
    for (let index = 0; index < log.length && !isDone(); index += 1) shorten(draft, index, chars)
  }
  const saved = before - draft.left
  if ((saved === 0 || saved < before * leastSaving) && !(goal.whole && summarises)) return null
  return compactionOf(draft, before, summarises)
}

function compactionOf(draft: Draft, before: number, summarises: boolean): Compaction {
  const [trimmed, dropped] = [[] as string[], [] as string[]]
  const cut: Record<string, number> = {}
  const stale: Record<string, readonly string[]> = {}
  for (const [index, { id }] of draft.log.entries()) {
    if (draft.dropped[index]) {
      dropped.push(id)
      continue
    }
    const [chars, outdated] = [draft.cut.get(index), draft.stale[index]]
    if (chars !== undefined) cut[id] = chars
    else if (draft.trimmed[index]) trimmed.push(id)
    if (outdated !== undefined) stale[id] = outdated
  }
  return { trimmed, cut, stale, dropped, summarises, before, after: draft.left }
}

/** Where the end begins that stays as it is: a round or words of others, and at least the latest round. */
function tailOf(log: readonly Logged[], sizes: readonly number[], most: number): number {
  const begins = beginnings(log)
  const latest = log.findLastIndex(({ message }) => message.role === 'assistant')
  let begin = Math.max(0, latest)
  let chars = sizes.slice(begin).reduce((sum, size) => sum + size, 0)
  for (let index = begin - 1; index >= 0; index -= 1) {
    chars += sizes[index] ?? 0
    if (chars > most) break
    if (begins[index]) begin = index
  }
  while (begin > 0 && !begins[begin]) begin -= 1
  return begin
}

/** Where the conversation may be cut: neither between a call and its result nor between the pieces of one answer. */
function beginnings(log: readonly Logged[]): readonly boolean[] {
  let isOpen = false
  return log.map(({ message }, index) => {
    const before = log[index - 1]?.message
    const begins = message.role !== 'tool' && (!isOpen || message.role === 'assistant')
    if (message.role !== 'user') isOpen = message.role === 'assistant' && message.content.some(isCall)
    return begins && (before === undefined || !isPiece(before))
  })
}

function trim(draft: Draft, tail: number): void {
  const { log, stale } = draft
  for (let index = 0; index < tail; index += 1) {
    const message = log[index]?.message
    if (message?.role !== 'tool') continue
    const saved = savedBy(message, { stale: stale[index] })
    if (saved === 0) continue
    draft.trimmed[index] = true
    shrink(draft, index, saved)
  }
}

/** Whether old results could be short enough for the goal. */
function wouldDo({ log, sizes, dropped, left }: Draft, tail: number, { chars }: CompactionGoal): boolean {
  let most = left
  for (let index = 0; index < tail && most > chars; index += 1) {
    if (log[index]?.message.role === 'tool' && !dropped[index]) most -= Math.max(0, (sizes[index] ?? 0) - briefChars)
  }
  return most <= chars
}

function shorten(draft: Draft, index: number, chars: number): void {
  const { log, sizes, dropped, stale } = draft
  const message = log[index]?.message
  if (!message || message.role === 'assistant' || dropped[index] || (sizes[index] ?? 0) <= chars) return
  const left = messageChars(message) - savedBy(message, { chars, stale: stale[index] })
  if (left >= (sizes[index] ?? 0)) return
  draft.cut.set(index, chars)
  shrink(draft, index, (sizes[index] ?? 0) - left)
}

function shrink(draft: Draft, index: number, saved: number): void {
  draft.sizes[index] = (draft.sizes[index] ?? 0) - saved
  draft.left -= saved
}

function drop(draft: Draft, index: number): void {
  if (draft.dropped[index]) return
  draft.dropped[index] = true
  draft.left -= draft.sizes[index] ?? 0
}

/** Drops the oldest rounds in which the agent said nothing; what it arranged with its team stays until it is summarised. */
function dropMute(draft: Draft, tail: number, isDone: () => boolean): void {
  const { log } = draft
  for (let index = 0; index < tail && !isDone(); index += 1) {
    const message = log[index]?.message
    if (message?.role !== 'assistant' || message.stop === 'pause' || message.content.some(saysOrArranges)) continue
    const results = resultsAt(log, index)
    if (results >= tail) return
    if (callsOf(message).some(({ id, name }) => name === 'TodoWrite' && !draft.stale[results]?.includes(id))) continue
    drop(draft, index)
    if (results !== -1) drop(draft, results)
  }
}

const arrangements = new Set(['Delegate', 'StopWorker', 'SendMessage', 'TaskCreate', 'TaskClaim', 'TaskDone'])

function saysOrArranges(block: AssistantMessage['content'][number]): boolean {
  if (block.type === 'text') return block.text.trim() !== ''
  return block.type === 'tool_use' && arrangements.has(block.name)
}

function isCall({ type }: AssistantMessage['content'][number]): boolean {
  return type === 'tool_use'
}

/**
 * Drops everything before the tail but what is pinned, and the latest words of people.
 * @returns whether that was anything
 */
function dropOld(draft: Draft, tail: number, { pinned, chars }: CompactionGoal): boolean {
  let room = Math.max(personChars, chars * personShare)
  for (let index = tail - 1; index >= 0; index -= 1) {
    const message = draft.log[index]?.message
    if (message?.role === 'user') {
      if (pinned?.(message) === true) continue
      if (message.origin === 'person' && (room -= draft.sizes[index] ?? 0) >= 0) continue
    }
    drop(draft, index)
  }
  return draft.dropped.includes(true)
}
