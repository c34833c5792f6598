/** A word of a command; null where only a running shell knows its value. */
interface Word {
  readonly value: string | null
  readonly glob: boolean
}

/** Options of rg with a value behind them; rg takes none of them cut short. */
const valued =
  /^--(after-context|before-context|color|colors|context|context-separator|dfa-size-limit|encoding|engine|field-context-separator|field-match-separator|file|generate|glob|hostname-bin|hyperlink-format|iglob|ignore-file|max-columns|max-count|max-depth|max-filesize|path-separator|pre|pre-glob|regex-size-limit|regexp|replace|sort|sortr|threads|type|type-add|type-clear|type-not)$/
const valuedLetter = /[ABCdEefgjmMrtT]/
/** With one of these the first operand is no pattern. */
const bringsPattern = /^(-[a-zA-Z0-9.]*[ef]|--(regexp|file|files|type-list|version)(=|$))/

/**
 * The files and directories in which rg is told to search; null where that cannot be told from its words.
 *
 * @example rgPlaces(`rg -t ts foo src`) // ['src']
 */
export function rgPlaces(words: readonly Word[]): readonly string[] | null {
  const operands: string[] = []
  let ended = false
  let hasPattern = false
  for (let at = 1; at < words.length; at += 1) {
    const value = words[at]?.value ?? null
    if (value === null || words[at]?.glob === true) return null
    if (ended || !value.startsWith('-') || value === '-') operands.push(value)
    else if (value === '--') ended = true
    else {
      hasPattern ||= bringsPattern.test(value)
      if (takesNext(value)) at += 1
    }
  }
  return hasPattern ? operands : operands.slice(1)
}

/** `-nA`, `--type`: the value stands in the next word. */
function takesNext(option: string): boolean {
  if (option.startsWith('--')) return valued.test(option)
  // The first letter with a value takes the rest of the word.
  return option.slice(1).search(valuedLetter) === option.length - 2
}
