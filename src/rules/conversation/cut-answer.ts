import { callsOf, textOf, type AssistantMessage, type Message } from '../../protocol/conversation/message.ts'

/** The text for a model whose answer was cut off. */
export const continuePrompt = 'Continue from where you stopped.'

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
