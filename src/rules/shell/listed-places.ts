import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { reachOf, type Below } from './reach.ts'

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
  if (name === 'find') return found(values)
  if (name === 'git' && values[0] === 'ls-files')
    return { paths: operands(values.slice(1)), below: { hidden: true, only: [], history: true } }
  if (name === 'ls' || name === 'fd' || name === 'fdfind')
    return { paths: operands(values), below: { hidden: true, only: [] } }
  const lists = values.some((value) => /^(-[a-zA-Z]*[lL]|--files)/.test(value))
  const below = lists && /^(rg|grep|egrep|fgrep)$/.test(name) ? reachOf(words) : null
  return below === null ? null : { paths: operands(values), below }
}

function operands(values: readonly string[]): readonly string[] {
  const named = values.filter((value) => !value.startsWith('-'))
  return named.length === 0 ? ['.'] : named
}

function found(values: readonly string[]): ListedPlaces | null {
  if (values.some((value) => /^-(L|H|follow|files0-from|exec|ok|delete|fprint)/.test(value))) return null
  const end = values.findIndex((value) => /^[-(!]/.test(value))
  const paths = end === -1 ? values : values.slice(0, end)
  const loose = values.some((value) => /^(-o|-or|!|-not|,)$/.test(value))
  const names = values.filter((_value, at) => values[at - 1] === '-name')
  return { paths: paths.length === 0 ? ['.'] : paths, below: { hidden: true, only: loose ? [] : names } }
}
