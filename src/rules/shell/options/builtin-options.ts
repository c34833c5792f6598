/** A word as it is written, with the text that it is known to be. */
interface Word {
  readonly text: string
  readonly value: string | null
  readonly glob: boolean
}

/** Letters of a builtin's options that take a value, and those of them whose value is the name of a variable. */
interface Letters {
  readonly valued: string
  readonly naming: string
}

const builtins: ReadonlyMap<string, Letters> = new Map([
  ['read', { valued: 'adinNptu', naming: 'a' }],
  ['wait', { valued: 'p', naming: 'p' }],
  ['mapfile', { valued: 'dnOsuCc', naming: '' }],
  ['readarray', { valued: 'dnOsuCc', naming: '' }],
])
const plain: Letters = { valued: '', naming: '' }

/**
 * The words in which a builtin gets the names of variables: its operands, and values of its options, behind their letter or
 * in the next word, as getopt reads them.
 *
 * @example namesGiven('read', `-rt1 -ax y`) // `x` and `y`
 */
export function namesGiven(builtin: string, words: readonly Word[]): readonly Word[] {
  const { valued, naming } = builtins.get(builtin) ?? plain
  const names: Word[] = []
  let at = 0
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? ''
    if (!value.startsWith('-') || value === '-' || value === '--') break
    const letter = value.split('').findIndex((each, i) => i > 0 && valued.includes(each))
    if (letter === -1) continue
    const glued = value.slice(letter + 1)
    if (glued === '') at += 1
    const named = glued === '' ? words[at] : { text: glued, value: glued, glob: false }
    if (named !== undefined && naming.includes(value.charAt(letter))) names.push(named)
  }
  const operands = words.slice(words[at]?.value === '--' ? at + 1 : at)
  return [...names, ...operands]
}
