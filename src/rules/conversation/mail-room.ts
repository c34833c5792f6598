import { textOf, type Message } from '../../protocol/conversation/message.ts'
import type { Conversation } from './context-window.ts'

/** Characters of mail that a model reads between two of its answers: some fifty thousand tokens. */
const mostBetweenAnswers = 200_000

/** Characters of mail in a conversation beside which long mail is shown whole. */
const mostWhole = 400_000

/** Characters of a mail that are shown however little room is left. */
const leastShown = 2_000

/** Characters of mail that still fit before the model answers. */
export function mailRoom({ messages, held }: Pick<Conversation, 'messages' | 'held'>): number {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return mostBetweenAnswers - mailLengths([...messages.slice(answered + 1), ...held])
}

/** Characters of long mail that may be shown whole in a conversation, beside all the mail that it holds. */
export function wholeMailRoom({ messages, held }: Pick<Conversation, 'messages' | 'held'>): number {
  return mostWhole - mailLengths(messages) - mailLengths(held)
}

function mailLengths(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + mailLength(message), 0)
}

function mailLength(message: Message): number {
  if (message.role !== 'user' || message.origin !== 'runtime') return 0
  const text = textOf(message)
  return text.startsWith('<message ') ? text.length : 0
}

/** The number of mails that may be taken at once: each is shown with its beginning at least. */
export function mostIn(room: number): number {
  return Math.min(256, Math.ceil(room / leastShown))
}

/**
 * The lengths at which mails are shown, so that all of them fit: short ones whole, of the others as much as there is room
 * for, and never less than their beginning.
 *
 * @example shownLengths([100, 9_000], 5_000) // [100, 4900]
 */
export function shownLengths(lengths: readonly number[], room: number): readonly number[] {
  let [left, count] = [room, lengths.length]
  let share = 0
  for (const length of lengths.toSorted((a, b) => a - b)) {
    share = Math.max(leastShown, Math.floor(left / count))
    left -= Math.min(length, share)
    count -= 1
  }
  return lengths.map((length) => Math.min(length, share))
}

/** The words for a model that has more mail than it can read at once. */
export function moreMailText(count: number): string {
  return `${moreMail}: ${count}. They come with your next turns: read on, or put first in words what you know by now.`
}

/** Whether a text says that more mail waits. */
export function isMoreMailText(text: string): boolean {
  return text.startsWith(moreMail)
}

const moreMail = 'More messages wait'
