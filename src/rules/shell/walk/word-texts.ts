import type { ParameterReplaceOperation } from 'unbash'
import type { BashWord } from '../bash-word.ts'
import { isTexts, mostValues, type ShellState, type ShellTexts } from './shell-values.ts'

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

interface Replacing extends Pick<ParameterReplaceOperation, 'operator'> {
  readonly pattern: Outcomes
  readonly replacement: Outcomes
}

/**
 * The texts of a variable in which a part is replaced by another one; null where the two are not known, where a pattern
 * finds the part, or where it depends on the size of letters which part it is.
 *
 * @example replacedTexts('.trZoupe', `${x/Z/}`) // '.troupe'
 */
export function replacedTexts(values: ShellTexts, { operator, pattern, replacement }: Replacing): ShellTexts {
  const part = plainText(pattern)
  const instead = plainText(replacement)
  if (!isTexts(values) || part === null || instead === null || /[&\\]/.test(instead)) return null
  const many = operator === '//'
  const begins = operator === '/#' ? '^' : ''
  const ends = operator === '/%' ? '$' : ''
  if (part === '' && begins === ends) return values
  const seeking = new RegExp(`${begins}${part.replaceAll(/[^\w]/g, String.raw`\$&`)}${ends}`, many ? 'g' : '')
  if (values.some(({ text, glob }) => glob || isUnsure(text, part))) return null
  return values.map(({ text, glob }) => ({ text: text.replace(seeking, () => instead), glob }))
}

/** The part stands in the text in letters of another size. */
function isUnsure(text: string, part: string): boolean {
  return text.toLowerCase().split(part.toLowerCase()).length !== text.split(part).length
}

/** The text of a word that has one, and is no pattern. */
function plainText(outcomes: Outcomes): string | null {
  const [only = [], ...others] = outcomes
  const [word, ...more] = only
  if (others.length > 0 || more.length > 0 || word?.glob === true) return null
  if (word === undefined) return ''
  // With `extglob` these are patterns, too.
  return /[?*+@!]\(/.test(word.value ?? '') ? null : word.value
}
