interface Word {
  readonly value: string | null
}

/** Options of grep, sed and their like that bring the pattern or the program, or a file of it; `-g` and `-t` of rg take other values. */
const bringing = /^(-(?![gt])[\w.]*[ef]|--(reg[a-z]*|fi(le?)?|files|exp[a-z]*|from-file)(=|$))/

/**
 * An option brings what would be the first operand otherwise: this is a file then.
 *
 * @example bringsProgram(`grep -1e x notes.txt`) // true
 */
export function bringsProgram(words: readonly Word[]): boolean {
  return words.some(({ value }) => bringing.test(value ?? ''))
}

/** The value of `--arg NAME VALUE` of jq; behind other options with values nobody knows where one begins. */
export function isArgumentOfJq(words: readonly Word[], at: number): boolean {
  if (words.some(({ value }) => /^(-[a-zA-Z]*L|--(slurp|raw|arg)file|--indent|--args|--jsonargs)/.test(value ?? '')))
    return false
  for (let i = 1; i < at; i += 1) {
    if (!/^--arg(json)?$/.test(words[i]?.value ?? '')) continue
    if (i + 2 === at) return true
    i += 2
  }
  return false
}
