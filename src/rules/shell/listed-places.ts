import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { namesSought, reachOf, type Below } from './reach.ts'

/** The directories from which a list of files comes, and which files below them it may name. */
export interface ListedPlaces {
  readonly paths: readonly string[]
  readonly below: Below
}

/**
 * Where the files lie that a command lists for the next one of a pipeline; null where that is not known.
 *
 * @example listedPlaces(`find src -name '*.ts'`) // src, and below it only *.ts
 */
export function listedPlaces(words: readonly BashWord[]): ListedPlaces | null {
  const name = commandName(words)
  if (words.some(({ value, glob }) => value === null || (glob && name !== 'ls'))) return null
  const values = words.slice(1).map(({ value }) => value ?? '')
  if (name === 'find') return lists(values) ? foundPlaces(words) : null
  if (name === 'git' && values[0] === 'ls-files') {
    // Files of submodules lie in other repositories.
    if (values.some((value) => value.startsWith('--recu'))) return null
    const named = operands(values.slice(1))
    // A pattern of git holds at any depth.
    const paths = named.map((path) => (/[*?[:]/.test(path) ? '.' : path))
    const only = named.every((path) => /^\*[\w.-]+$/.test(path)) ? named : []
    // Others are those that git does not hold.
    const others = values.some((value) => /^(-[a-z]*o|--oth)/.test(value))
    return { paths, below: { hidden: true, only, links: true, ...(!others && { history: true }) } }
  }
  if (/^(fd|fdfind|du|tree)$/.test(name))
    return { paths: operands(values), below: { hidden: true, only: [], links: true } }
  if (name === 'ls') {
    const hidden = values.some((value) => /^(-[a-zA-Z]*[aAfR]|--(a|r))/.test(value))
    // The names that stand in another directory are taken for names in this one.
    return { paths: [...new Set(['.', ...operands(values)])], below: { hidden, only: [], links: true } }
  }
  const namesOnly = values.some((value) => /^(-[a-zA-Z]*[lL]|--files)/.test(value))
  const below = namesOnly && /^(rg|grep|egrep|fgrep)$/.test(name) ? reachOf(words) : null
  return below === null ? null : { paths: operands(values), below }
}

function operands(values: readonly string[]): readonly string[] {
  const named = values.filter((value) => !value.startsWith('-'))
  return named.length === 0 ? ['.'] : named
}

function lists(values: readonly string[]): boolean {
  return !values.some((value) => /^-(exec|ok|delete|fprint)/.test(value))
}

/** Where find looks for files; null where it reads the places from a file. */
export function foundPlaces(words: readonly BashWord[]): ListedPlaces | null {
  const all = words.slice(1).map(({ value }) => value ?? '-?')
  const follows = all.some((value) => /^-(L|follow)$/.test(value))
  const values = all.filter((value) => value !== '-L')
  const end = values.findIndex((value) => /^[-(!]/.test(value))
  const start = end === -1 ? values : values.slice(0, end)
  if (values.some((value) => /^-(H|files0-from)/.test(value)) || start.includes('-?')) return null
  const below: Below = { hidden: true, only: namesSought(words), links: follows ? 'through' : true }
  return { paths: start.length === 0 ? ['.'] : start, below }
}

/** `git status --ignored`, `git clean -n`: git says the names of what it leaves out. */
export function saysIgnored(words: readonly BashWord[]): boolean {
  if (commandName(words) !== 'git') return false
  const has = (pattern: RegExp): boolean => words.some(({ value }) => pattern.test(value ?? ''))
  return (has(/^status$/) && has(/^--ig/)) || (has(/^clean$/) && has(/^(-[a-zA-Z]*n|--dry)/)) || has(/^check-ignore$/)
}
