import { escape } from 'minimatch'
import type { BashWord } from '../bash-word.ts'

/** One text that a variable may hold: with `glob`, it stands for the name of a file that matches. */
export interface ShellText {
  readonly text: string
  readonly glob: boolean
}

/**
 * The text of a variable as far as the line tells: one of some texts, a number, or nothing that is known. `env`: the line
 * does not set the variable, so the text comes from the environment. `name`: that of a branch or a tag, which begins with no
 * dash, holds no blank, and may come from anywhere. null: the text may come from anywhere, a file included.
 */
export type ShellTexts = readonly ShellText[] | 'number' | 'env' | 'name' | null

/** More texts than this are as good as unknown. */
export const mostValues = 32
/** With more variables than this nothing is known of any. */
const mostVariables = 100

const numbers = new Set(
  '? # $ ! RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS UID EUID PPID HISTCMD SHLVL BASHPID OPTIND'.split(' '),
)
/** Set by bash itself, to texts that a line, a file or a directory's name can choose. */
const borrowed =
  /^(_|\d+|[@*]|-|REPLY|MAPFILE|OPTARG|OLDPWD|PWD|DIRSTACK|FUNCNAME|COMP\w*|READLINE\w*|COPROC\w*|BASH\w*)$/

/** Variables and directories at one point of a line. */
export interface ShellState {
  readonly variables: ReadonlyMap<string, ShellTexts>
  /** Any variable may have been set `before` here, or may be set at every turn. */
  readonly fogged?: 'before' | 'always' | undefined
  /** The shell has left: nothing behind this runs. */
  readonly ended?: boolean
  /** The directories that a command may run in; null where they are unknown. */
  readonly directories: readonly string[] | null
  readonly home: string
  /** The line opens files under numbers: `/dev/stdout` may be one of them. */
  readonly opened?: true | undefined
  /** Variables that keep their values, whatever is assigned to them. */
  readonly fixed?: readonly string[] | undefined
  /** The words of arrays, and under `@` those that `set --` gave, where they are known. */
  readonly lists?: Lists | undefined
}

type Lists = ReadonlyMap<string, readonly BashWord[]>

/** Variables to which nobody can assign. */
const readOnly = /^(UID|EUID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)$/

/** An assignment to the variable fails. */
export function isFixed(name: string, { fixed = [] }: ShellState): boolean {
  return readOnly.test(name) || fixed.includes(name)
}

/** The variable holds nothing: the line does not set it, and those of an environment have large letters. */
export function isUnset(name: string, { variables, fogged }: ShellState): boolean {
  return fogged === undefined && !variables.has(name) && /^[a-z]/.test(name)
}

/** `valueOf('HOME', state)` */
export function valueOf(name: string, state: ShellState): ShellTexts {
  const { variables, fogged, directories, home } = state
  if (fogged === 'always') return null
  const set = variables.get(name)
  if (set !== undefined || fogged === 'before') return set ?? null
  if (name === 'HOME') return [{ text: home, glob: false }]
  if (name === 'PWD' && directories !== null) return directories.map((text) => ({ text, glob: false }))
  if (name === 'IFS') return [{ text: ' \t\n', glob: false }]
  if (numbers.has(name)) return 'number'
  const given = /^[1-9]$/.test(name) ? listOf('@', state) : undefined
  if (given !== undefined) return textAt(given, Number(name) - 1)
  return borrowed.test(name) ? null : 'env'
}

/** The text of one word of a list; behind a word that may come to be several, or none, nobody knows which one that is. */
function textAt(list: readonly BashWord[], at: number): ShellTexts {
  if (list.slice(0, at + 1).some(({ splits, vanishes }) => splits === true || vanishes === true)) return null
  const word = list[at]
  if (word === undefined) return [{ text: '', glob: false }]
  return word.value === null ? null : [{ text: word.value, glob: false }]
}

/** `listOf('@', state)`: the words of an array, or of the shell; undefined where nobody knows them. */
export function listOf(name: string, { lists, fogged }: ShellState): readonly BashWord[] | undefined {
  return fogged === undefined ? lists?.get(name) : undefined
}

/** `itemOf('a', '0', state)`: the text of `${a[0]}`, and that of `${a[@]}` where the array has one word. */
export function itemOf(name: string, index: string, state: ShellState): ShellTexts {
  const list = listOf(name, state)
  if (list === undefined) return null
  // With a 0 in front, or of more digits than bash has room for, another place is meant.
  if (/^(0|[1-9]\d{0,8})$/.test(index)) return textAt(list, Number(index))
  if (/^\d+$/.test(index)) return null
  return list.length === 1 && /^[@*]$/.test(index) ? textAt(list, 0) : null
}

/** The state in which the words of an array are these; unknown where there are none to tell, or one may stand for files. */
export function withList(state: ShellState, name: string, words: readonly BashWord[] | undefined): ShellState {
  const { lists = noLists } = state
  const known = words?.some(({ glob }) => glob) === true || isFixed(name, state) ? undefined : words
  if (known === undefined && !lists.has(name)) return state
  const made = new Map(lists)
  if (known === undefined) made.delete(name)
  else made.set(name, known)
  return { ...state, lists: made }
}

/** The state in which a function starts: its words are those of a call that nobody knows. */
export function inFunction(state: ShellState): ShellState {
  return withList(state, '@', undefined)
}

const noLists: Lists = new Map()

/**
 * The state in which an assignment to a variable was carried out. One that fails leaves the old value, and bash itself
 * gives some variables others.
 */
export function setting(state: ShellState, name: string, given: ShellTexts): ShellState {
  const own = borrowed.test(name) || name === 'GROUPS' ? null : given
  const values = isFixed(name, state) || numbers.has(name) ? either(valueOf(name, state), own) : own
  const known = values !== null && typeof values !== 'string' && values.length > mostValues ? null : values
  if (state.variables.size >= mostVariables && !state.variables.has(name)) return { ...state, fogged: 'always' }
  return { ...withList(state, name, undefined), variables: new Map(state.variables).set(name, known) }
}

/** The state when either of two ways may have been taken. */
export function joined(a: ShellState, b: ShellState): ShellState {
  if (a === b || b.ended === true) return a
  if (a.ended === true) return b
  const fogged = a.fogged === 'always' || b.fogged === 'always' ? 'always' : (a.fogged ?? b.fogged)
  return {
    variables: a.variables === b.variables ? a.variables : joinedVariables(a, b),
    fogged,
    directories: joinedDirectories(a.directories, b.directories),
    home: a.home,
    opened: a.opened,
    lists: a.lists === b.lists ? a.lists : joinedLists(a.lists, b.lists),
    fixed: a.fixed === b.fixed ? a.fixed : [...new Set([...(a.fixed ?? []), ...(b.fixed ?? [])])],
  }
}

/** The state when what would have led to `after` may not have been carried out. */
export function perhaps(before: ShellState, after: ShellState): ShellState {
  return joined(before, { ...after, ended: false })
}

/** The lists that are the same in both ways. */
function joinedLists(a: Lists = noLists, b: Lists = noLists): Lists {
  return new Map([...a].filter(([name, words]) => b.get(name) === words))
}

function joinedVariables(a: ShellState, b: ShellState): ReadonlyMap<string, ShellTexts> {
  const made = new Map(a.variables)
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    if (a.variables.get(name) !== b.variables.get(name)) made.set(name, either(counted(name, a), counted(name, b)))
  }
  return made
}

/** An empty variable is 0 where a loop counts with it. */
function counted(name: string, state: ShellState): ShellTexts {
  return isUnset(name, state) ? 'number' : valueOf(name, state)
}

function either(a: ShellTexts, b: ShellTexts): ShellTexts {
  if (a === b) return a
  if (a === null || b === null) return null
  if (typeof a === 'string' || typeof b === 'string') {
    const plain = (values: ShellTexts): boolean => values === 'number' || isNumbers(values)
    return plain(a) && plain(b) ? 'number' : mixed(a, b)
  }
  const all = [...a, ...b.filter((item) => !a.some(({ text, glob }) => text === item.text && glob === item.glob))]
  return all.length > mostValues ? null : all
}

/** A text of the line or one of the environment: a name that stands on the line may be one of a file. */
function mixed(a: ShellTexts, b: ShellTexts): ShellTexts {
  const safe = (values: ShellTexts): boolean => values === 'number' || values === 'env' || isNumbers(values)
  return safe(a) && safe(b) ? 'env' : null
}

function isNumbers(values: ShellTexts): boolean {
  return isTexts(values) && values.every(({ text, glob }) => !glob && /^-?\d+$/.test(text))
}

function joinedDirectories(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === b || a === null || b === null) return a === b ? a : null
  const all = [...new Set([...a, ...b])]
  return all.length > mostValues ? null : all
}

/** Whether two states say the same; one that grows in a loop never does. */
export function sameState(a: ShellState, b: ShellState): boolean {
  if (a.directories !== b.directories && JSON.stringify(a.directories) !== JSON.stringify(b.directories)) return false
  if (a.fogged !== b.fogged) return false
  const { lists: some = noLists } = a
  const { lists: others = noLists } = b
  if (some.size !== others.size || [...some].some(([name, words]) => others.get(name) !== words)) return false
  const written = (values: ShellTexts | undefined): string => JSON.stringify(values ?? 'unset')
  const names = new Set([...a.variables.keys(), ...b.variables.keys()])
  return [...names].every((name) => {
    const [one, other] = [a.variables.get(name), b.variables.get(name)]
    return one === other || written(one) === written(other)
  })
}

/** A text in which wildcards stand for themselves. */
export function literally(text: string): string {
  return escape(text, { windowsPathsNoEscape: false })
}

/** Some texts are known, and not only where they come from. */
export function isTexts<T>(values: readonly T[] | 'number' | 'env' | 'name' | null): values is readonly T[] {
  return values !== null && typeof values !== 'string'
}
