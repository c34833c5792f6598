import type { Coproc, ParsedScript, WordPart } from 'unbash'
import type { BashWord } from '../bash-word.ts'
import {
  isTexts,
  isUnset,
  isFixed,
  mostValues,
  setting,
  valueOf,
  type ShellState,
  type ShellTexts,
} from './shell-values.ts'

/** Words are expanded in a state, which they may change, and tell what else they do. */
export interface Expansion {
  state: ShellState
  /** Why bash may run a text as a command while it expands. */
  readonly hazards: string[]
  /** Variables that the words set. */
  readonly sets: string[]
  readonly scripts: PlacedScript[]
  /** The states in which bash may give up the words, and with them the rest of the line. */
  readonly left: ShellState[]
  /** How many texts came out of words that have several. */
  made: number
}

/** A script in a word, and the state in which it runs. */
export interface PlacedScript {
  readonly script: ParsedScript
  readonly state: ShellState
}

export function expansionIn(state: ShellState): Expansion {
  return { state, hazards: [], sets: [], scripts: [], left: [], made: 0 }
}

/** Assigns to a variable, as far as it takes what it is given. */
export function put(name: string, values: ShellTexts, into: Expansion): void {
  if (isFixed(name, into.state)) into.left.push(into.state)
  into.state = assigned(name, values, into)
}

/** `coproc x { … }` puts the numbers of its pipes into a list, and that of its process into `x_PID`. */
export function coprocIn({ name }: Coproc, state: ShellState): Expansion {
  const into = expansionIn(state)
  const list = name?.text ?? 'COPROC'
  for (const variable of [list, `${list}_PID`]) {
    into.sets.push(variable)
    put(variable, null, into)
  }
  return into
}

export const unsureNumber = 'a text that is worked out as a number can run commands'

const variable = /\$\{[^{}]*\}|\$\w+|\$[?#$!*@-]/g
/** Letters and signs beside a variable may make a name of the two, or set one. */
const joins = /[A-Za-z_=]|\+\+|--/

/** Only a number, or a sum of numbers and of variables that hold such, runs nothing. */
export function checkNumber({ text, value, glob, from }: BashWord, { state, hazards }: Expansion): void {
  const [, name = ''] = /^"?\$\{?(\w+)\}?"?$/.exec(text) ?? []
  const isNumber =
    value === null
      ? from !== undefined &&
        !(from === 'env' && joins.test(text.replaceAll(variable, ''))) &&
        (isUnset(name, state) || isCount(from, state))
      : !glob && isSum(value, state)
  if (!isNumber) hazards.push(unsureNumber)
}

/** Bash sets a variable while it works out the text: `x = 1`, `x += 1`, `x++`. */
const sets = /(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/

/** Names that a commit may have; git says its name back where there is none. */
const commitName = /^([a-f][\da-f]{3,39}|HEAD)$/

/**
 * A text of this kind is a number to bash: one of the environment, and the number of a commit, may be the name of a variable
 * that the line sets, and bash works that one out in turn.
 */
function isCount(kind: 'number' | 'env' | 'pipe', { variables }: ShellState): boolean {
  for (const [name, values] of variables) {
    if (kind === 'number' && !commitName.test(name)) continue
    if (
      values === null ||
      (typeof values !== 'string' && values.some(({ text }) => text.includes('[') || sets.test(text)))
    )
      return false
  }
  return true
}

/** `i + 1`: names whose own texts are numbers, and signs. A text that sets a variable is none. */
export function isSum(text: string, state: ShellState, depth = 0): boolean {
  if (text.length > 500 || depth > 2 || /[[\]$`\\"'{}]/.test(text) || sets.test(text)) return false
  const names = text.match(/[A-Za-z_]\w*/g) ?? []
  if (names.length > mostValues) return false
  return names.every((name) => /^(0[xX]|\d)/.test(name) || holdsNumber(name, state, depth + 1))
}

/** The text of a variable is a number to bash. */
export function holdsNumber(name: string, state: ShellState, depth = 0): boolean {
  const values = valueOf(name, state)
  if (values === null || values === 'name') return false
  if (typeof values === 'string') return isUnset(name, state) || isCount(values, state)
  return values.every(({ text, glob }) => !glob && isSum(text, state, depth))
}

/** Bash works out as a number what these of its variables are given. */
const workedOut = /^(RANDOM|SRANDOM|SECONDS|OPTIND|HISTSIZE|HISTCMD|LINENO|BASHPID|PPID|E?UID)$/

/** With these bash reads what follows by other rules, or takes translated texts from a file, and runs what stands in them. */
const changesReading = /^(POSIXLY_CORRECT|BASH_COMPAT|TEXTDOMAIN(DIR)?)$/

/** The charset by which bash reads the rest of its line. */
const charset = /^(LANG|LC_(ALL|CTYPE))$/
/** Charsets in which every byte below 128 is a sign of its own: no letter hides a backslash. */
const plainCharset = /^((C|POSIX|en(_[A-Z]{2})?)?|(C|[a-z]{2,3}(_[A-Z]{2})?)\.(UTF|utf)-?8)$/

/** The state in which a variable has been set, and the danger of setting it. */
export function assigned(name: string, values: ShellTexts, { state, hazards }: Expansion): ShellState {
  const set = setting(state, name, values)
  const isPlain = !charset.test(name) || (isTexts(values) && values.every(({ text }) => plainCharset.test(text)))
  if (!isPlain || changesReading.test(name)) hazards.push(`${name} changes how later commands are read`)
  if (workedOut.test(name) && !holdsNumber(name, set)) hazards.push(unsureNumber)
  return set
}

/** The name of a variable whose subscript, where there is one, is a number. */
export function checkVariable({ value, glob }: BashWord, into: Expansion): void {
  const index = /^[A-Za-z_]\w*(?:\[([^[\]]*)\])?$/.exec(value ?? '')
  const plain =
    !glob && index !== null && (index[1] === undefined || /^[@*]$/.test(index[1]) || isSum(index[1], into.state))
  if (!plain) into.hazards.push('the name of a variable can hold a command')
}

/** A variable or a command whose text takes the part's place. */
export function isExpansion(type: WordPart['type']): boolean {
  return type === 'SimpleExpansion' || type === 'ParameterExpansion' || type === 'CommandExpansion'
}

/** Outside of quotes an empty text is no word; in quotes only a list without items is none. */
export function mayVanish(part: WordPart): boolean {
  if (part.type !== 'DoubleQuoted') return isExpansion(part.type) && !/^\$[?#$]$/.test(part.text)
  const { parts } = part
  return parts.every(({ type }) => isExpansion(type)) && parts.some(({ text }) => /^\$(@|\{.*@.*\}$)/s.test(text))
}
