import { callsOf, textOf, type AssistantMessage, type Message } from '../../protocol/conversation/message.ts'

/** The text for a model whose words were cut off. */
export const continuePrompt = 'Continue from where you stopped.'

/**
 * The text for a model whose answer was cut off: it goes on with its words, but what it lost it has to do otherwise.
 * `cutText(message)` → `Your call to Write was cut off at 8192 tokens and was not made. …`
 */
export function cutText(message: AssistantMessage): string {
  const { cut_call, usage } = message
  const place = usage.output > 0 ? `at ${usage.output} tokens` : 'at the longest answer that you may give'
  if (cut_call !== undefined)
    return `Your call to ${cut_call} was cut off ${place} and was not made. Write it in parts: a first call with the beginning, then further calls that each add to it.`
  if (textOf(message).trim() === '')
    return `Your answer was cut off ${place} before you had said anything. Think less, and answer in parts.`
  return continuePrompt
}

/** A part of an answer that goes on in the next message, or what the runtime said to have it go on. */
export function isPiece(message: Message): boolean {
  if (message.role === 'user') return message.origin === 'runtime' && textOf(message) === continuePrompt
  return message.role === 'assistant' && isCut(message) && callsOf(message).length === 0
}

function isCut({ stop }: AssistantMessage): boolean {
  return stop === 'max_tokens' || stop === 'pause'
}

/** The latest words of an agent. */
export interface Words {
  readonly text: string
  /** The next answer belongs to them. */
  readonly goesOn: boolean
}

export const noWords: Words = { text: '', goesOn: false }

/**
 * The latest words after one more message of the conversation: an answer that came in pieces is one text.
 *
 * @example conversation.messages.reduce(wordsAfter, noWords).text
 */
export function wordsAfter(words: Words, message: Message): Words {
  if (message.role !== 'assistant') return isPiece(message) ? words : { ...words, goesOn: false }
  const said = textOf(message)
  if (words.goesOn) return { text: words.text + said, goesOn: isPiece(message) }
  return said.trim() === '' ? words : { text: said, goesOn: isPiece(message) }
}
