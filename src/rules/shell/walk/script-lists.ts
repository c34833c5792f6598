import type { Command, CommandNode, ParsedScript, Word, WordPart } from 'unbash'
import type { BashWord } from '../bash-word.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { toolOf } from '../changed-trees.ts'
import { verbAt, type Below } from '../reach.ts'
import type { ListedPlaces, Listing } from '../listed-places.ts'
import { expandWord } from './expand-word.ts'
import { expansionIn, isExpansion } from './expansion.ts'
import { listOf, valueOf, type ShellState } from './shell-values.ts'
import { listedBy } from '../lines/piped-lists.ts'

/**
 * The list of files for which a word stands that is one substitution, or one variable that holds what one said; null for
 * any other word.
 *
 * @example listingOf(word of `$(find src -name '*.ts')`, state)
 */
export function listingOf(word: Word, state: ShellState): Listing | null {
  if (state.takesLists !== true || state.fogged !== undefined || state.variables.has('IFS')) return null
  const part = onlyPart(word.parts)
  const [from, ...others] = state.directories ?? []
  if (part === undefined || from === undefined || others.length > 0) return null
  if (part.type === 'CommandExpansion') return part.script === undefined ? null : listingIn(part.script, from, state)
  const [, name = ''] = /^\$\{?(\w+)\}?$/.exec(part.text) ?? []
  if (!isExpansion(part.type) || name === '' || valueOf(name, state) !== null) return null
  const [only, ...more] = listOf(name, state) ?? []
  // Behind a `cd` the names lead elsewhere.
  return more.length === 0 && only?.listing?.from === from ? only.listing : null
}

/** The part of a word that has one, in quotes or not. */
function onlyPart(parts: readonly WordPart[] = []): WordPart | undefined {
  const [only, ...others] = parts
  if (only === undefined || others.length > 0) return undefined
  return only.type === 'DoubleQuoted' ? onlyPart(only.parts) : only
}

function listingIn({ commands, errors = [] }: ParsedScript, from: string, state: ShellState): Listing | null {
  const [statement, ...others] = commands
  if (statement === undefined || others.length > 0 || errors.length > 0 || statement.background === true) return null
  const { command } = statement
  const nodes = command.type === 'Pipeline' && command.prefixes.length === 0 ? command.commands : [command]
  let places: ListedPlaces | null = null
  let fromTop = false
  for (const [at, node] of nodes.entries()) {
    if (node.type !== 'Command' || (command.type === 'Pipeline' && at > 0 && command.operators[at - 1] !== '|'))
      return null
    const words = wordsOf(node, state)
    if (words === null || words.some(joinsNames)) return null
    const changed = at === 0 && saysChanged(words)
    fromTop ||= changed
    places = changed ? keptFiles : listedIn(node, words, places)
    if (places === null) return null
  }
  if (places === null || !places.paths.every((path) => plainPlace.test(path))) return null
  return { places, from, ...(fromTop && { fromTop }) }
}

function listedIn(node: CommandNode, words: readonly BashWord[], before: ListedPlaces | null): ListedPlaces | null {
  const command = { text: '', words, assignments: [], redirects: [], directories: null }
  return listedBy(node, [command], before)
}

/** A directory whose name stays one word of a shell, and is no option. */
const plainPlace = /^[\w./][\w./@+,-]*$/

/** The words of a command that come out in one way, and set nothing. */
function wordsOf({ name, prefix, args }: Command, state: ShellState): readonly BashWord[] | null {
  if (name === undefined || prefix.length > 0) return null
  const words: BashWord[] = []
  for (const part of [name, ...args]) {
    if (part.type === 'Assignment') return null
    const into = expansionIn(state)
    const [way, ...others] = expandWord(part, into)
    if (way === undefined || others.length > 0 || into.scripts.length > 0 || into.hazards.length > 0) return null
    words.push(...way)
  }
  return words
}

/** Names that end with a NUL come without anything between them. */
function joinsNames({ value }: BashWord): boolean {
  return value === null || /^(-[a-zA-Z]*[0zZ]|-print0|--nul\w*|--z\w*)/.test(value)
}

/** Options of `git diff` under which it says the names of files that it keeps, and nothing else. */
const plainDiff = /^(--name-only|--cached|--staged|--diff-filter=[A-Za-z]+|--no-renames|--merge-base|--no-ext-diff)$/
const kept: Below = { hidden: true, only: [], links: true, history: true }
const keptFiles: ListedPlaces = { paths: ['.'], below: kept }

/** `git diff --name-only HEAD~1`: the names of files that the repository held, from its top on. */
function saysChanged(words: readonly BashWord[]): boolean {
  if (commandName(words) !== 'git' || verbAt(words) !== 1 || words[1]?.value !== 'diff') return false
  const values = words.slice(2).map(({ value }) => value ?? '-?')
  const end = values.indexOf('--')
  const options = values.slice(0, end === -1 ? undefined : end).filter((value) => value.startsWith('-'))
  return options.includes('--name-only') && options.every((value) => plainDiff.test(value))
}

/** Programs for which the words behind their options are files that they read, or check, and nothing else. */
const takers = new Set(
  `cat tac head tail nl od hexdump strings fold cut rev wc diff cmp comm grep egrep fgrep rg file md5sum sha1sum sha224sum
  sha256sum sha384sum sha512sum shasum cksum eslint oxlint stylelint prettier ruff black isort mypy flake8 pylint pyright
  shellcheck yamllint markdownlint cspell codespell gofmt`.split(/\s+/),
)

/**
 * Says whether the words of a command that stand for lists are at its end, and its program takes them for files.
 *
 * @example takesListed(`wc -l $(git ls-files)`) // true
 */
export function takesListed(words: readonly BashWord[]): boolean {
  const inner = unwrapped(words)
  const first = inner.findIndex(({ from }) => from === 'list')
  const tool = toolOf(inner.slice(0, first))
  if (first < 1 || !inner.slice(first).every(({ from }) => from === 'list')) return false
  // A word behind a long option may be its value.
  const before = inner[first - 1]?.value
  return takers.has(commandName(tool)) && before !== null && !(before?.startsWith('--') === true && before !== '--')
}
