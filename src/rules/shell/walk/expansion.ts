import type { ParsedScript, WordPart } from 'unbash'
import type { BashWord } from '../bash-word.ts'
import { isFixed, mostValues, setting, valueOf, type ShellState, type ShellTexts } from './shell-values.ts'

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

export const unsureNumber = 'a text that is worked out as a number can run commands'

/** Only a number, or a sum of numbers and of variables that hold such, runs nothing. */
export function checkNumber({ value, glob, from }: BashWord, into: Expansion): void {
  if (value === null ? from === undefined : glob || !isSum(value, into.state)) into.hazards.push(unsureNumber)
}

/** `i + 1`: names whose own texts are numbers, and signs. */
export function isSum(text: string, state: ShellState, depth = 0): boolean {
  if (text.length > 500 || depth > 2 || /[[\]$`\\"'{}]/.test(text)) return false
  const names = text.match(/[A-Za-z_]\w*/g) ?? []
  if (names.length > mostValues) return false
  return names.every((name) => /^(0[xX]|\d)/.test(name) || holdsNumber(name, state, depth + 1))
}

function holdsNumber(name: string, state: ShellState, depth: number): boolean {
  const values = valueOf(name, state)
  if (values === 'number' || values === 'env') return true
  return values?.every(({ text, glob }) => !glob && isSum(text, state, depth)) ?? false
}

/** Bash works out as a number what these of its variables are given. */
const workedOut = /^(RANDOM|SRANDOM|SECONDS|OPTIND|HISTSIZE|HISTCMD|LINENO|BASHPID|PPID|E?UID)$/

/** The state in which a variable has been set, and the danger of setting it. */
export function assigned(name: string, values: ShellTexts, { state, hazards }: Expansion): ShellState {
  const set = setting(state, name, values)
  if (!workedOut.test(name)) return set
  if (!holdsNumber(name, set, 0)) hazards.push(unsureNumber)
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
