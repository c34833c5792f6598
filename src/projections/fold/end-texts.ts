import { callsOf, textOf, type Message } from '../../protocol/conversation/message.ts'
import { noWords, wordsAfter, type Words } from '../../rules/conversation/cut-answer.ts'
import { lastWord } from '../../rules/conversation/escalation.ts'
import { isRefutation } from '../../rules/team/verification.ts'

/** A text with which an agent ended a turn, as far as the journal tells. */
export interface EndText {
  /** The entries that hold the text: more than one where the text came in pieces. */
  readonly ids: readonly string[]
  readonly words: Words
}

/**
 * The texts with which an agent ended its turns, after one more message of its conversation. A text beside calls ends no
 * turn, and neither does a text after which the check of the work did not pass.
 *
 * @param id the entry of the message
 * @example entries.reduce((texts, { id, message }) => endTextsAfter(texts, id, message), [])
 */
export function endTextsAfter(texts: readonly EndText[], id: string, message: Message): readonly EndText[] {
  const last = texts.at(-1)
  if (message.role === 'user') {
    const said = textOf(message)
    if (last && isRefutation(said)) return texts.slice(0, -1)
    return last?.words.goesOn ? [...texts.slice(0, -1), { ...last, words: wordsAfter(last.words, message) }] : texts
  }
  if (message.role === 'tool' || message.stop === 'error' || message.stop === 'aborted') return texts
  const before = last?.words.goesOn ? texts.slice(0, -1) : texts
  if (callsOf(message).length > 0) return before
  const words = wordsAfter(last?.words.goesOn ? last.words : noWords, message)
  return words.text.trim() === '' ? before : [...before, { ids: [...(last?.words.goesOn ? last.ids : []), id], words }]
}

/** The text with which an agent finished explicitly: it ends a turn as one that was written does. */
export function reportText(id: string, text: string): EndText {
  return { ids: [id], words: { text, goesOn: false } }
}

/** The texts without the one that a tombstone takes back. */
export function endTextsWithout(texts: readonly EndText[], target: string): readonly EndText[] {
  return texts.filter(({ ids }) => !ids.includes(target))
}

/**
 * All texts as one: each marked with its place where there is more than one, so that its reader sees that a later one
 * does not take the place of an earlier one.
 *
 * @example markedText([]) // ''
 */
export function markedText(texts: readonly EndText[]): string {
  const said = texts.map(({ words }) => lastWord(words.text))
  if (said.length <= 1) return said.join('')
  return said.map((text, place) => `[${place + 1} of ${said.length}]\n${text}`).join('\n\n')
}
