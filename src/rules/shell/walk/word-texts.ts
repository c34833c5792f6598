import type { BashWord } from '../bash-word.ts'
import { mostValues, type ShellState, type ShellTexts } from './shell-values.ts'

/** The words that one becomes, in each of the ways that it may come out. */
export type Outcomes = readonly (readonly BashWord[])[]

/** A tilde at the start of a word is no part of what a variable gets, but the home. One out of quotes is a name. */
export function fromHome(text: string, written: string, { home }: Pick<ShellState, 'home'>): string {
  if (!text.startsWith('~')) return text
  return written.startsWith('~') ? text.replace(/^~(?=\/|$)/, () => home) : `./${text}`
}

/** The texts that a variable gets from a word or a list of them. */
export function itemsOf(outcomes: Outcomes, state: ShellState): ShellTexts {
  const words = outcomes.flat()
  if (words.some(({ value, from }) => value === null && from === undefined)) return null
  if (words.some(({ value }) => value === null)) {
    const plain = words.every(({ value, from }) => from === 'number' || (value !== null && /^-?\d+$/.test(value)))
    if (plain) return 'number'
    return words.every(({ value }) => value === null || /^[\w.]*$/.test(value)) ? 'env' : null
  }
  if (words.length > mostValues) return words.every(({ value }) => /^-?\d+$/.test(value ?? '')) ? 'number' : null
  return words.map(({ text, value, glob }) => ({ text: fromHome(value ?? '', text, state), glob }))
}

/** The texts that a variable gets in the rounds of a loop over words. */
export function textsOfAll(words: readonly ShellTexts[]): ShellTexts {
  const all: { text: string; glob: boolean }[] = []
  for (const values of words) {
    if (values === null || typeof values === 'string') return words.every((each) => each === 'number') ? 'number' : null
    all.push(...values)
  }
  return all.length > 8 && all.every(({ text, glob }) => !glob && /^-?\d+$/.test(text)) ? 'number' : all
}
