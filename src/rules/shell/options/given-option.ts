/** A word as it is written, with the text that it is known to be. */
interface Word {
  readonly text: string
  readonly value: string | null
}

/** One option of a program, under all its names. */
export interface Option {
  /** Letters of the option, each behind one dash, alone or in a group: `f` of `-xvf z.tar`. */
  readonly letters?: string
  /** The letters that may stand before it in a group, because they take no value; any letter and digit where it is not said. */
  readonly behind?: string
  /** The letters of the program that take a value, where they are all known: what stands behind one is no option. */
  readonly valued?: string
  /** Long names without dashes. Every beginning of one stands for it, as getopt_long of GNU takes them. */
  readonly names?: readonly string[]
  /** The program takes long names behind a single dash, too: npm, go. */
  readonly oneDash?: true
  /** Any other way to write it: a pattern for the beginning of the word, behind which its value may stand. */
  readonly written?: RegExp
}

/** The value of an option. */
export interface GivenValue {
  /** The place of the word that holds it: the option itself or the word behind it. */
  readonly at: number
  /** As it is known, or else as it is written; empty where the words end with the option. */
  readonly text: string
}

/** Shorter beginnings behind a single dash are letters. */
const shortestName = 3

/**
 * The value that a word gives to an option: behind `=`, glued to the letter, or in the next word. Undefined where the word
 * is not the option.
 *
 * @example givenOption(`tar -xvfz.tar`, 1, { letters: 'f' }) // 'z.tar', in the word itself
 * @example givenOption(`sort --out x`, 1, { names: ['output'] }) // 'x', in the next word
 */
export function givenOption(words: readonly Word[], at: number, option: Option): GivenValue | undefined {
  const word = words[at]
  if (word === undefined || at === 0) return undefined
  const glued = gluedTo(word.value ?? word.text, option)
  if (glued === undefined) return undefined
  if (glued !== null) return { at, text: glued }
  const next = words[at + 1]
  return { at: at + 1, text: next?.value ?? next?.text ?? '' }
}

/** The value that the first such option of a command gets; null where only a running shell knows it. */
export function valueGiven(words: readonly Word[], option: Option): string | null | undefined {
  const given = words.flatMap((_word, at) => givenOption(words, at, option) ?? [])[0]
  return given !== undefined && words[given.at]?.value === null ? null : given?.text
}

/** Some word of a command is the option: `gives(words, { letters: 'd', names: ['directory'] })`. */
export function gives(words: readonly Word[], option: Option): boolean {
  return words.some((_word, at) => givenOption(words, at, option) !== undefined)
}

/**
 * A word is the option, whatever stands in front of it on the line.
 *
 * @example isOption('-3R', { letters: 'R', valued: 'ef' }) // true
 */
export function isOption(text: string, option: Option): boolean {
  return gluedTo(text, option) !== undefined
}

/** The text behind the option in its word; null where nothing does, undefined where the word is another one. */
function gluedTo(
  text: string,
  { letters = '', behind, valued, names = [], oneDash, written }: Option,
): string | null | undefined {
  const found = written?.exec(text)?.[0]
  if (found !== undefined) return text.slice(found.length) || null
  if (!text.startsWith('-')) return undefined
  const [, dashes = '', name = '', value] = /^(-+)([\w-]+)(?:=(.*))?$/s.exec(text) ?? []
  const isLong = dashes.length === 2 || (oneDash === true && name.length >= shortestName)
  if (isLong && name !== '' && names.some((each) => each.startsWith(name))) return value ?? null
  return dashes.length === 2 ? undefined : inGroup(text, { letters, behind, valued })
}

/** `inGroup('-xvfz.tar', { letters: 'f' })`: z.tar. */
function inGroup(
  text: string,
  { letters, behind, valued }: { readonly letters: string } & Readonly<Record<'behind' | 'valued', string | undefined>>,
): string | null | undefined {
  const at = text.split('').findIndex((letter, i) => i > 0 && letters.includes(letter))
  if (at === -1) return undefined
  const before = text.slice(1, at).split('')
  const passes = (each: string): boolean =>
    valued === undefined ? (behind?.includes(each) ?? /[\w.]/.test(each)) : !valued.includes(each)
  return before.every(passes) ? text.slice(at + 1) || null : undefined
}

/**
 * The place of the two dashes behind which no option stands; -1 where there are none, and where they may be the value of the
 * option in front of them.
 *
 * @example endOfOptions(['-e', '--', '--pre=x']) // -1
 */
export function endOfOptions(values: readonly (string | null)[]): number {
  const at = values.indexOf('--')
  return at > 0 && values[at - 1]?.startsWith('-') !== false ? -1 : at
}
