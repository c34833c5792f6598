import type { Entry } from '../../protocol/facts/entry.ts'
import type { Envelope, Shown } from '../../protocol/mail/envelope.ts'
import {
  callsOf,
  errorResult,
  isBlank,
  textOf,
  userMessage,
  type Message,
  type ToolMessage,
  type ToolUseBlock,
  type UserMessage,
} from '../../protocol/conversation/message.ts'
import { compactedLog } from './compacted-log.ts'
import type { Logged } from './logged.ts'
import { noteSkill, type OpenedOnce } from './opened-skills.ts'
import { isPiece, noWords, wordsAfter } from './cut-answer.ts'
import { lastWord } from './escalation.ts'
import { asData } from './frame-tag.ts'
import { undoneLog } from '../undo/undone-log.ts'
import { emptyGauge, messageChars, noteCut, weigh, type Gauge } from './fullness.ts'
import { frameMail, isFrameOf } from './mail-frame.ts'
import { isShortened } from './short-message.ts'
import { compactOrder } from './compact-order.ts'
import { emptyTasks, isTask, nextTask, type QueuedTask, type TaskQueue } from './task-queue.ts'

/**
 * An agent's conversation as a fold over its journal. Every message keeps its identity, and an array of them only ever
 * grows, so that a provider may keep what it made of it.
 *
 * 1. A `tool_use` is directly followed by the tool message with its results; what arrives on the user's
 *    side in between is held and follows that message.
 * 2. Where results never came although the model spoke again, error results stand in for them.
 * 3. A task that comes while another is at hand is heard when that one is answered, so that each has its own answer.
 * 4. Appending costs the same however long the conversation is; only a tombstone or a compaction rebuilds it.
 */
export interface Conversation {
  readonly messages: readonly Message[]
  /** Messages that wait until the open calls have their results. */
  readonly held: readonly UserMessage[]
  /** How many answers were left out to make room. */
  readonly leftOut: number
  /** How many tokens it holds, as far as models have counted them. */
  readonly gauge: Readonly<Gauge>
  /** The skills that the agent opened, by name: the call, and what it read. The one opened last is last. */
  readonly skills: ReadonlyMap<string, OpenedOnce>
  /** Summaries in a row that no model wrote. */
  readonly failures: number
  /** The focus of a summary that a person has asked for; null when nobody waits for one. */
  readonly wanted: string | null
}

interface Ledger {
  messages: Message[]
  readonly held: UserMessage[]
  leftOut: number
  readonly gauge: Gauge
  readonly skills: Map<string, OpenedOnce>
  failures: number
  wanted: string | null
  /** Calls of the latest assistant message that have no result yet, by id. */
  readonly unanswered: Map<string, ToolUseBlock>
  /** The entries that were appended and not tombstoned, in journal order. */
  readonly log: Logged[]
  readonly tasks: TaskQueue
}

/** Every conversation is made here, and is its own ledger, which others may only read. */
function ledgerOf(conversation: Conversation): Ledger {
  return conversation as Ledger
}

/** A conversation in which nobody has spoken. */
export function emptyConversation(): Conversation {
  const ledger: Ledger = {
    messages: [],
    held: [],
    leftOut: 0,
    gauge: emptyGauge(),
    skills: new Map(),
    failures: 0,
    wanted: null,
    unanswered: new Map(),
    log: [],
    tasks: emptyTasks(),
  }
  return ledger
}

/** `conversationOf(entries)`: the conversation after all these journal entries. */
export function conversationOf(entries: Iterable<Entry>): Conversation {
  const conversation = emptyConversation()
  for (const entry of entries) appendEntry(conversation, entry)
  return conversation
}

/**
 * Takes one journal entry in, changing the conversation in place. Entries that carry no message change nothing.
 *
 * @param conversation Made by `emptyConversation` or `conversationOf`.
 */
export function appendEntry(conversation: Conversation, entry: Entry): void {
  const ledger = ledgerOf(conversation)
  if (entry.type === 'message.tombstoned') {
    forget(ledger, entry.target)
    return
  }
  if (entry.type === 'context.compacted') {
    compact(ledger, entry)
    return
  }
  if (entry.type === 'turns.undone') {
    ledger.skills.clear()
    rebuild(ledger, undoneLog(ledger.log, entry))
    return
  }
  weigh(ledger.gauge, entry)
  if (entry.type === 'mail.received') ledger.wanted = compactOrder(entry.envelope) ?? ledger.wanted
  const said = saidBy(ledger, entry)
  if (said === null) return
  ledger.log.push({ ...said, at: entry.at })
  ledger.gauge.chars += messageChars(said.message)
  take(ledger, said.message)
}

function compact(ledger: Ledger, entry: Extract<Entry, { type: 'context.compacted' }>): void {
  const answers = answersIn(ledger.log)
  rebuild(ledger, compactedLog(ledger.log, entry))
  ledger.leftOut += answers - answersIn(ledger.log)
  const { by } = entry
  if (by !== undefined && entry.trigger !== 'emergency') ledger.failures = by === 'rules' ? ledger.failures + 1 : 0
  if (entry.trigger === 'manual') ledger.wanted = null
}

function saidBy({ tasks }: Ledger, entry: Entry): Logged | null {
  if (entry.type === 'message.appended') return { id: entry.id, message: asData(entry.message) }
  const turn = nextTask(tasks, entry)
  if (turn !== null) return framed(turn)
  const isHeard = entry.type === 'mail.received' && isSpoken(entry.envelope) && !isTask(entry.envelope)
  return isHeard ? framed(entry.shown ? { ...entry, envelope: shortened(entry.envelope, entry.shown) } : entry) : null
}

function shortened(envelope: Envelope, { chars, path }: Shown): Envelope {
  const { body } = envelope
  const beginning = body.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')
  return {
    ...envelope,
    body: `${beginning}\n\n[The beginning of ${body.length} characters. The whole text is in ${path}]`,
  }
}

function framed({ id, envelope, attached }: QueuedTask): Logged {
  const lost = envelope.attachments !== undefined && !attached?.length ? '\n[Its files could not be read.]' : ''
  return { id, message: userMessage(`${frameMail(envelope)}${lost}`, 'runtime', attached) }
}

/** Says whether the model still sees a piece of mail: a task that waits for its turn it never saw. */
export function hasHeard({ messages, held }: Conversation, mail: Pick<Envelope, 'id'>): boolean {
  const isIt = isFrameFor(mail)
  return held.some(isIt) || messages.findLast(isIt) !== undefined
}

function isFrameFor({ id }: Pick<Envelope, 'id'>): (message: Message) => boolean {
  return (message) => message.role === 'user' && isFrameOf(textOf(message), id)
}

/** Control mail speaks to the machine around the agent, never to the model; a wish that it stops speaks to both. */
export function isSpoken(envelope: Envelope): boolean {
  return envelope.kind !== 'control'
}

function take(ledger: Ledger, message: Message): void {
  if (message.role === 'tool') takeResults(ledger, message)
  else if (message.role === 'assistant') {
    answerForLost(ledger)
    ledger.messages.push(message)
    for (const call of callsOf(message)) ledger.unanswered.set(call.id, call)
  } else if (ledger.unanswered.size > 0) ledger.held.push(message)
  else ledger.messages.push(message)
}

/** Results nobody asked for (their assistant message is gone, or they came twice) are left out. */
function takeResults(ledger: Ledger, message: ToolMessage): void {
  const results = message.results.filter((result) => ledger.unanswered.delete(result.call_id))
  for (const result of results) noteSkill(ledger.skills, result)
  if (results.length === 0) return
  const missing = stoppedCalls(ledger)
  const whole = results.length === message.results.length && missing.length === 0
  ledger.messages.push(whole ? message : { role: 'tool', results: [...results, ...missing] })
  release(ledger)
}

function answerForLost(ledger: Ledger): void {
  const results = stoppedCalls(ledger)
  if (results.length > 0) ledger.messages.push({ role: 'tool', results })
  release(ledger)
}

function stoppedCalls(ledger: Ledger): ToolMessage['results'] {
  const calls = [...ledger.unanswered.values()]
  ledger.unanswered.clear()
  return calls.map((call) => errorResult(call.id, call.name, 'No result was recorded: the call was interrupted.'))
}

function release(ledger: Ledger): void {
  for (const message of ledger.held.splice(0)) ledger.messages.push(message)
}

function forget(ledger: Ledger, target: string): void {
  const place = ledger.log.findIndex((line) => line.id === target)
  if (place === -1) return
  rebuild(ledger, ledger.log.toSpliced(place, 1))
}

function answersIn(log: readonly Logged[]): number {
  return log.filter(({ message }) => message.role === 'assistant').length
}

function rebuild(ledger: Ledger, log: readonly Logged[]): void {
  ledger.log.length = 0
  ledger.messages = []
  ledger.held.length = 0
  ledger.unanswered.clear()
  for (const logged of log) {
    ledger.log.push(logged)
    take(ledger, logged.message)
  }
  noteCut(
    ledger.gauge,
    log.reduce((sum, { message }) => sum + messageChars(message), 0),
  )
}

/** The messages that the model sees, under the ids of its journal entries, in their order. */
export function logOf(conversation: Conversation): readonly Logged[] {
  return ledgerOf(conversation).log
}

/** The calls of the latest assistant message that have no result yet, in the order they were made. */
export function unansweredCalls(conversation: Conversation): readonly ToolUseBlock[] {
  return [...ledgerOf(conversation).unanswered.values()]
}

/** Says whether the model still sees the whole result of a call. */
export function hasResult({ messages }: Conversation, callId: string): boolean {
  const isIt = (result: ToolMessage['results'][number]): boolean => result.call_id === callId && !isShortened(result)
  return messages.some((message) => message.role === 'tool' && message.results.some(isIt))
}

/** Says whether the model has something to answer: it was paused, did not speak last, or somebody's words are held. */
export function needsAnswer(conversation: Conversation): boolean {
  const last = conversation.messages.at(-1)
  return conversation.held.length > 0 || (last !== undefined && (last.role !== 'assistant' || last.stop === 'pause'))
}

/**
 * The entries of an answer that was cut off and will not be continued by who began it: pieces of it at the end of
 * the conversation, and what the runtime said to have it continued. Another model starts over.
 */
export function orphansOf(conversation: Conversation): readonly string[] {
  const { log } = ledgerOf(conversation)
  const whole = log.findLastIndex(({ message }) => !isPiece(message))
  const pieces = log.slice(whole + 1)
  return pieces.some(({ message }) => message.role === 'assistant') ? pieces.map(({ id }) => id) : []
}

/**
 * The latest thing the agent said in words, whole where it came in pieces; empty when it never did.
 * @param since Mail: only what it said after that counts.
 */
export function lastText({ messages }: Conversation, since?: Pick<Envelope, 'id'>): string {
  const from = since === undefined ? -1 : messages.findLastIndex(isFrameFor(since))
  return lastWord(messages.slice(from + 1).reduce(wordsAfter, noWords).text)
}

/** Says whether the agent has ended a turn with words since a person spoke to it last. */
export function hasSpoken({ messages }: Conversation): boolean {
  const asked = messages.findLastIndex((message) => message.role === 'user' && message.origin === 'person')
  return messages
    .slice(asked + 1)
    .some((message) => message.role === 'assistant' && callsOf(message).length === 0 && !isBlank(message))
}

/** The words that nobody has answered yet. */
export function wordsToAnswer({ messages }: Conversation): string {
  const said = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return said.map((message) => (message.role === 'user' ? textOf(message) : '')).join('\n')
}
