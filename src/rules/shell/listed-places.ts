import type { BashWord } from './bash-word.ts'
import { byProgram, commandName } from './bash-wrappers.ts'
import { gives, type Option } from './options/given-option.ts'
import { namesSought, reachOf, type Below } from './reach.ts'

/** The directories from which a list of files comes, and which files below them it may name. */
export interface ListedPlaces {
  readonly paths: readonly string[]
  readonly below: Below
}

/** Programs that list files, with the options of each under which a line holds the name of one file, and nothing else. */
const listers: ReadonlyMap<string, RegExp> = byProgram<RegExp>({
  find: /^-(L|follow|i?(name|path|wholename|lname|regex)|regextype|x?type|(max|min)?depth|d|x?dev|mount|not|a|o|and|or|newer\w*|[acm](time|min|newer)|size|empty|executable|readable|writable|perm|user|group|nouser|nogroup|links|inum|samefile|true|false|daystart|prune|quit|print0?|\d+[a-zA-Z]?)$/,
  git: /^(-[comdkz]+|--(others|cached|modified|deleted|killed|exclude-standard|error-unmatch|deduplicate|directory)?)$/,
  fd: /^(-[HIsigFupa0]*([etdESo].*)?|--((no-ignore|hidden|glob|full-path|ignore-case|case-sensitive|fixed-strings|absolute-path)|(extension|type|max-depth|min-depth|exclude|size|changed-\w+)(=.*)?)?)$/,
  ls: /^(-[1aAdtrSUvXcuR]+|--(all|almost-all|directory|reverse|recursive|color=(never|auto)|group-directories-first)?)$/,
  grep: /^(-[rRinwxvEFGPHhsIlLaUZ]*([emABC].*)?|--(include|exclude|exclude-dir|regexp|max-count|color=(never|auto)|recursive|dereference-recursive|ignore-case|word-regexp|line-regexp|invert-match|extended-regexp|fixed-strings|perl-regexp|basic-regexp|files-with-matches|files-without-match|no-messages|null)?(=.*)?)$/,
  rg: /^(-[lilwFSsUPvun.aLI0]*([egtTmd].*)?|--(files(-with-matches|-without-match)?|glob|iglob|type|type-not|hidden|no-ignore(-\w+)*|ignore-case|smart-case|case-sensitive|word-regexp|fixed-strings|multiline|pcre2|invert-match|unrestricted|follow|max-depth|max-count|null|sortr?|color=never|no-messages|regexp)?(=.*)?)$/,
})
/** Options with which a search says the names of files, and not the lines in these. */
const namesOnly = byProgram<Option>({
  grep: { letters: 'lL', valued: 'ABCDdefmX', written: /^--files-w[a-z-]*$/ },
  rg: { letters: 'l', valued: 'ABCEMTdefgjmrt', written: /^--files(-with-matches|-without-match)?$/ },
})

/**
 * Where the files lie that a command lists for the next one of a pipeline; null where that is not known, or where some option
 * may let the list hold other texts.
 *
 * @example listedPlaces(`find src -name '*.ts'`) // src, and below it only *.ts
 */
export function listedPlaces(words: readonly BashWord[]): ListedPlaces | null {
  const options = listers.get(listerOf(words))
  const isName = ({ value }: BashWord): boolean => value?.startsWith('-') !== true || options?.test(value) === true
  return options !== undefined && words.every(isName) ? mentionedPlaces(words) : null
}

/** `fdfind` → fd */
function listerOf(words: readonly BashWord[]): string {
  return commandName(words)
    .replace(/^[ef]grep$/, 'grep')
    .replace(/^fdfind$/, 'fd')
}

/** Where the files lie whose names a command says, in whatever form; null where that is not known. */
export function mentionedPlaces(words: readonly BashWord[]): ListedPlaces | null {
  const name = listerOf(words)
  if (words.some(({ value, glob }) => value === null || (glob && name !== 'ls'))) return null
  const values = words.slice(1).map(({ value }) => value ?? '')
  if (name === 'find') return values.some((value) => acts.test(value)) ? null : foundPlaces(words)
  if (name === 'git') return values[0] === 'ls-files' ? keptPlaces(values.slice(1)) : null
  // Among all names is that of the directory above.
  if (name === 'ls' && values.some((value) => /^(-[a-zA-Z]*[af]|--all$)/.test(value))) return null
  if (/^(du|tree)$/.test(name)) return { paths: operands(values), below: { hidden: true, only: [], links: true } }
  if (/^(ls|fd)$/.test(name)) {
    const hidden = name === 'fd' || values.some((value) => /^(-[a-zA-Z]*[aAfR]|--(a|r))/.test(value))
    // The names that stand in another directory are taken for names in this one; the first operand of fd is a pattern.
    return { paths: [...new Set(['.', ...operands(values)])], below: { hidden, only: [], links: true } }
  }
  const option = namesOnly.get(name)
  if (option === undefined) return null
  const own = words.filter((_word, at) => !takesNext(words[at - 1]?.value ?? '', option))
  const below = gives(own, option) ? reachOf(words) : null
  return below === null ? null : { paths: operands(values), below }
}

const longOfSearches =
  /^--(regexp|include|exclude|exclude-dir|glob|iglob|type|type-not|max-count|max-depth|sortr?|ignore-file)$/

/** The word behind the option is its value, whatever it looks like: `-e`, `--glob`. */
function takesNext(value: string, { valued = '' }: Option): boolean {
  return /^-[^-]/.test(value) ? valued.includes(value.at(-1) ?? '') : longOfSearches.test(value)
}

/** Actions of find that say no names of files. */
const acts = /^-(exec|ok|delete|fprint)/

/** Where the files lie that `git ls-files` says. */
function keptPlaces(values: readonly string[]): ListedPlaces | null {
  // Files of submodules lie in other repositories.
  if (values.some((value) => value.startsWith('--recu'))) return null
  const named = operands(values)
  // These lead out of the directory.
  if (named.some((path) => path.startsWith(':') || (/[*?[]/.test(path) && /^\/|(^|\/)\.\.(\/|$)/.test(path))))
    return null
  // A pattern of git holds at any depth.
  const paths = named.map((path) => (/[*?[:]/.test(path) ? '.' : path))
  const only = named.every((path) => /^\*[\w.-]+$/.test(path)) ? named : []
  // Others are those that git does not hold.
  const others = values.some((value) => /^(-[a-z]*o|--oth)/.test(value))
  return { paths, below: { hidden: true, only, links: true, ...(!others && { history: true }) } }
}

function operands(values: readonly string[]): readonly string[] {
  const named = values.filter((value) => !value.startsWith('-'))
  return named.length === 0 ? ['.'] : named
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
