/** A word of a command, as far as its options go; its value is null where only a running shell knows it. */
interface Word {
  readonly value: string | null
  readonly glob: boolean
}

/** Letters of sed that take the rest of their word, or else the next word; `i` takes only the rest. */
const valued = /^-([^efil-]*)([efil])(.*)$/s
const longNames: readonly (readonly [name: string, letter: string])[] = [
  ['expression', 'e'],
  ['file', 'f'],
  ['line-length', 'l'],
]

/**
 * The programs of sed on the line, its options read as getopt reads them: those behind `-e` as the one that they make
 * together, or the first operand. Null for one that is in a file, or that only a running shell knows.
 *
 * @example sedTexts(`sed -zl 5 p a.txt`) // ['p']
 */
export function sedTexts(words: readonly Word[]): readonly (string | null)[] {
  const given: (string | null)[] = []
  const operands: Word[] = []
  let ended = false
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    const option = ended ? null : optionOf(word)
    if (word.value === '--' && !ended) ended = true
    else if (option === null) operands.push(word)
    else if (option.letter !== '') {
      const value = option.rest ?? (words[at + 1] === undefined ? null : known(words[at + 1]))
      if (option.rest === undefined) at += 1
      if (option.letter === 'e') given.push(value)
      if (option.letter === 'f') given.push(null)
    }
  }
  if (given.length > 0) return given.includes(null) ? [null, ...given] : [given.join('\n')]
  const [first, second] = operands
  // The sed of BSD takes the empty word for the end of the names that `-i` gives.
  if (first?.value === '' && second !== undefined) return ['', known(second)]
  return first === undefined ? [] : [known(first)]
}

function known(word: Word | undefined): string | null {
  return word === undefined || word.glob ? null : word.value
}

/** The letter of an option that takes a value, with the value that stands in the same word; no letter for any other. */
function optionOf({ value }: Word): { readonly letter: string; readonly rest?: string } | null {
  if (value === null || !/^-./s.test(value) || value === '--') return null
  const [, name, glued] = /^--([^=]*)(?:=(.*))?$/s.exec(value) ?? []
  if (name !== undefined) {
    const letter = longNames.find(([each]) => each.startsWith(name))?.[1] ?? ''
    return letter === '' || glued === undefined ? { letter } : { letter, rest: glued }
  }
  const [, , letter = '', rest = ''] = valued.exec(value) ?? []
  if (letter === 'i') return { letter: '' }
  return letter === '' || rest === '' ? { letter } : { letter, rest }
}
