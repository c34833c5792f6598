import { isPersonal, type MemoryDraft, type MemoryKind, type MemoryWish } from '../../protocol/memory/memory.ts'
import { textOf, type ToolMessage } from '../../protocol/conversation/message.ts'
import { answeredBy, wordsTool } from '../../protocol/tools/own-question.ts'
import { isFromPerson, shortLine, unframedBody } from '../conversation/mail-frame.ts'
import type { Logged } from '../conversation/logged.ts'
import { absoluteDates, isoDay } from './absolute-dates.ts'

/** The place where an agent asks for it. */
export interface MemoryOrigin {
  readonly run?: string | undefined
  readonly member: string
  /** The entry of the agent's journal that it comes from, where no person is quoted. */
  readonly entry: string | null
  /** Milliseconds since 1970. */
  readonly now: number
  /** The conversation as the model sees it. */
  readonly log: readonly Logged[]
}

/** A quote of fewer characters stands in any message. */
const shortestQuote = 8
const longestQuote = 2_000

/**
 * A wish as a memory, or why there may be none. `user` and `feedback` hold whole sentences of a person, as that person wrote
 * them: what a model makes of its tools, mail or the web can only be `project` or `reference`.
 *
 * @returns the memory, or a sentence for the model
 */
export function memoryDraft(wish: MemoryWish, origin: MemoryOrigin): MemoryDraft | { readonly trouble: string } {
  const { kind, title } = wish
  const { run, member, now } = origin
  const date = isoDay(now)
  const text = absoluteDates(wish.text, now)
  const place = { ...(run === undefined ? {} : { run }), member }
  if (!isPersonal(kind)) {
    const source = { by: 'agent' as const, ...place, ...(origin.entry === null ? {} : { entry: origin.entry }) }
    return { kind, title, description: shortLine(text, 300), text, date, source }
  }
  if (wish.quote === undefined || wish.quote.trim() === '') return { trouble: noQuote(kind) }
  const said = quoted(wish.quote, origin.log)
  if (said === null) return { trouble: falseQuote(kind) }
  const words = said.text
  return {
    kind,
    // The name stands in the index: nothing of it is the model's.
    title: words,
    description: shortLine(words, 300),
    text: [`> ${words.replaceAll('\n', '\n> ')}`, ...(text.trim() === '' ? [] : [`Note by ${member}: ${text}`])].join(
      '\n\n',
    ),
    // Words like "tomorrow" stay the person's: the day of the message says which.
    date: isoDay(said.at ?? now),
    source: { by: 'person', ...place, entry: said.entry },
  }
}

function noQuote(kind: MemoryKind): string {
  return `A ${kind} memory needs a quote: the person's own words, copied from a message of the person. What comes from elsewhere is a project or reference memory.`
}

function falseQuote(kind: MemoryKind): string {
  return `The quote stands in no message of a person that you can see. Copy at least ${shortestQuote} characters, or a whole message, word for word. What comes from tools, files, members or the web is no ${kind} memory: use project or reference.`
}

interface Quoted {
  readonly entry: string
  /** Milliseconds since 1970; undefined where the message does not tell. */
  readonly at: number | undefined
  /** The whole sentences that hold the quote, as they were written. */
  readonly text: string
}

/** The sentences of persons that hold a quote; blanks count alike. The latest message that has it speaks. */
export function quoted(quote: string, log: readonly Logged[]): Quoted | null {
  const wanted = oneSpace(quote)
  for (const { id, at: saidAt, message } of log.toReversed()) {
    const text = wordsOfPerson(message)
    if (text === null) continue
    const { whole, sentences } = sentencesOf(text)
    const at = wanted.length < shortestQuote && wanted !== whole ? -1 : whole.indexOf(wanted)
    const first = sentences.findLast(({ start }) => start <= at)
    if (first === undefined) continue
    const last = sentences.find(({ end }) => end >= at + wanted.length)
    const words = `${first.introduction} ${whole.slice(first.start, last?.end).trim()}`.trim()
    if (words.length <= longestQuote) return { entry: id, at: saidAt, text: words }
  }
  return null
}

/** The words of a person in a message: at the terminal, by mail, or in answer to AskUser; null where somebody else speaks. */
function wordsOfPerson(message: Logged['message']): string | null {
  if (message.role === 'tool') return answersIn(message)
  if (message.role !== 'user') return null
  const text = textOf(message)
  if (message.origin === 'person') return text
  return message.origin === 'runtime' && isFromPerson(text) ? (unframedBody(text) ?? null) : null
}

/** The answers of a person among the results of calls, a paragraph each. */
function answersIn({ results }: ToolMessage): string | null {
  const answers = results.flatMap((result) => {
    const text = result.tool === wordsTool && !result.is_error ? textOf(result) : ''
    return text.startsWith(answeredBy) ? [text.slice(answeredBy.length)] : []
  })
  return answers.length === 0 ? null : answers.join('\n\n')
}

function oneSpace(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

interface Sentence {
  readonly start: number
  readonly end: number
  /** The sentence before the list that the sentence stands in; empty outside of lists. */
  readonly introduction: string
}

/** A text on one line, and its sentences: half a sentence, or an item without its introduction, may say the opposite. */
function sentencesOf(text: string): { readonly whole: string; readonly sentences: readonly Sentence[] } {
  const parts = text.split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/).map(oneSpace)
  const sentences: Sentence[] = []
  let [at, introduction] = [0, '']
  for (const part of parts) {
    // The dot behind an item's number ends no sentence.
    const mark = /^(?:[-*•]|\d+[.)])\s/.exec(part)?.[0].length ?? 0
    const stops = [...part.matchAll(/[.!?。！？](?=\s|$)/gu)].map(({ index }) => index + 1)
    const ends = new Set([...stops.filter((end) => end > mark), part.length])
    let start = 0
    for (const end of ends) {
      sentences.push({ start: at + start, end: at + end, introduction: mark === 0 ? '' : introduction })
      if (mark === 0) introduction = part.slice(start, end).trim()
      start = end
    }
    at += part.length + 1
  }
  return { whole: parts.join(' '), sentences }
}
