import { callsOf, type Message, type ToolResult } from '../../protocol/conversation/message.ts'

/** One message of a conversation, under the id of its journal entry. */
export interface Logged {
  readonly id: string
  readonly message: Message
}

/** The entries that are shortened or left out so that a conversation fits again. */
export interface Compaction {
  /** Entries whose long results are shortened. */
  readonly trimmed: readonly string[]
  /** Entries that the model sees no more. */
  readonly dropped: readonly string[]
  /** Characters of the conversation, and what is left of them. */
  readonly before: number
  readonly after: number
}

/** A result that is longer than this is shortened to its beginning and its end. */
const longText = 2_000
const headChars = 1_200
const tailChars = 400

/** So much of a conversation stays at most, where its rules allow it. */
const share = 0.5
/** The least part of a conversation that a compaction has to save. */
const leastSaving = 0.1

/**
 * Chooses the entries to leave out of a conversation that its model refused as too long; the same ones for the same
 * conversation.
 *
 * 1. Long results are shortened first: what they held can be looked up again.
 * 2. If more than half is left, the oldest answers go, each with all its results, until half is reached.
 * 3. What others said to the agent stays, and so does its latest answer: a call is never parted from its result.
 * 4. What it arranged with its team goes last: nothing else tells it what it has asked of whom.
 *
 * @returns null when nothing of weight can be left out
 */
export function planCompaction(log: readonly Logged[]): Compaction | null {
  const before = sizeOf(log.map(({ message }) => message))
  const short = log.map(({ id, message }) => ({ id, message: shortMessage(message) }))
  let after = sizeOf(short.map(({ message }) => message))
  const dropped = new Set<string>()
  const rounds = roundsOf(short).slice(0, -1)
  const own = rounds.filter((round) => !arranges(round))
  for (const round of [...own, ...rounds.filter(arranges)]) {
    if (after <= before * share) break
    for (const { id } of round) dropped.add(id)
    after -= sizeOf(round.map(({ message }) => message))
  }
  if (after >= before * (1 - leastSaving)) return null
  const trimmed = short.filter(({ id, message }, index) => message !== log[index]?.message && !dropped.has(id))
  return { trimmed: trimmed.map(({ id }) => id), dropped: [...dropped], before, after }
}

/** The message with its long results cut to their beginning and end, and without the images in them. */
export function shortMessage(message: Message): Message {
  if (message.role !== 'tool') return message
  const results = message.results.map(shortResult)
  return results.every((result, index) => result === message.results[index]) ? message : { ...message, results }
}

/** The text for the model about entries that were shortened or left out. */
export function compactionText({ trimmed, dropped }: Compaction): string {
  const long = trimmed.length > 0 ? ['long results were shortened'] : []
  const old = dropped.length > 0 ? [`the oldest ${dropped.length} messages of your own work were left out`] : []
  return `The conversation had become too long: ${[...long, ...old].join(' and ')}. Go on with the task; look again where you need what is missing, and ask for less at a time.`
}

const arrangements = new Set(['Delegate', 'StopWorker', 'SendMessage', 'TaskCreate', 'TaskClaim', 'TaskDone'])

function arranges([answer]: readonly Logged[]): boolean {
  return answer?.message.role === 'assistant' && callsOf(answer.message).some(({ name }) => arrangements.has(name))
}

/** The agent's answers, each with the results of its calls, oldest first. */
function roundsOf(log: readonly Logged[]): readonly (readonly Logged[])[] {
  const rounds: Logged[][] = []
  for (const logged of log) {
    if (logged.message.role === 'assistant') rounds.push([logged])
    else if (logged.message.role === 'tool') rounds.at(-1)?.push(logged)
  }
  return rounds
}

function shortResult(result: ToolResult): ToolResult {
  const content = result.content.map((block) => {
    if (block.type === 'image')
      return { type: 'text' as const, text: `[an image of type ${block.media_type} was left out]` }
    return block.text.length > longText ? { ...block, text: cut(block.text) } : block
  })
  return content.every((block, index) => block === result.content[index]) ? result : { ...result, content }
}

function cut(text: string): string {
  const left = text.length - headChars - tailChars
  const note = `[… ${left} characters were left out to make room …]`
  return `${text.slice(0, headChars)}\n${note}\n${text.slice(-tailChars)}`.toWellFormed()
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
}
