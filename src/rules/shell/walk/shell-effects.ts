import type { Command } from 'unbash'
import type { BashCommand } from '../bash-command.ts'
import { setsVariables, withValue, type BashWord } from '../bash-word.ts'
import { readsOtherwise } from '../bash-scripts.ts'
import { commandName } from '../bash-wrappers.ts'
import { assigned, checkNumber, checkVariable, type Expansion } from './expansion.ts'
import { mayFit } from '../../paths/name-patterns.ts'
import { resolveFrom } from '../../paths/path-inside.ts'
import { namesGiven } from '../options/builtin-options.ts'
import { assignedArgument } from './simple-command.ts'
import { isTexts, joined, setting, valueOf, withList, type ShellState } from './shell-values.ts'

interface Ran {
  readonly command: BashCommand
  readonly node: Command
}

/** After these anything may hold any text, or mean another thing. */
const fogging = new Set([
  'eval',
  'source',
  '.',
  'trap',
  'alias',
  'unalias',
  'enable',
  'hash',
  'bind',
  'complete',
  'fc',
  'coproc',
])
const nouns = /^(null|dot|ext|nocase)glob$|^globstar$|^nocasematch$|^inherit_errexit$|^pipefail$/

/**
 * The state of the shell behind a command: where it is, what its variables hold. Dangers of builtins, which work out names
 * and numbers in their arguments, go to the command's own.
 */
export function afterwards(
  { command, node }: Ran,
  into: Expansion,
): { readonly state: ShellState; readonly wideGlobs?: true } {
  const words = inner(command.words)
  const name = commandName(words)
  const { state } = into
  if (words.length === 0) return { state }
  if (words[0]?.value === null) return { state: { ...state, fogged: state.fogged ?? 'before', variables: new Map() } }
  if (name === 'cd' || name === 'pushd' || name === 'popd')
    return { state: command.assignments.some(leads) ? { ...state, directories: null } : moved(words, state) }
  if (name === 'exit' && words.length <= 2 && /^\d*$/.test(words[1]?.value ?? ''))
    return { state: { ...state, ended: true } }
  if (fogging.has(name)) return { state: fogged(name, state), wideGlobs: true }
  if (name === 'set' || name === 'shopt')
    return { state: withGiven(words, state), ...(options(name, words, into) && { wideGlobs: true }) }
  if (name === 'shift') return { state: withList(state, '@', undefined) }
  return { state: assigning(name, { words, node }, into) }
}

/** `HOME=src cd`: a variable in front of the command says where it goes. */
function leads(assignment: string): boolean {
  return /^(HOME|OLDPWD|CDPATH)\+?=/.test(assignment)
}

/** `set -- a b`: the words that the shell has from now on. */
function withGiven([program, flag, ...given]: readonly BashWord[], state: ShellState): ShellState {
  if (program?.value !== 'set' || (given.length === 0 && /^[-+]\w+$/.test(flag?.value ?? ''))) return state
  return withList(state, '@', flag?.value === '--' ? given : undefined)
}

function inner(words: readonly BashWord[]): readonly BashWord[] {
  let rest = words
  while (/^(builtin|command)$/.test(rest[0]?.value ?? '')) {
    const at = rest.findIndex(({ value }, i) => i > 0 && value?.startsWith('-') !== true)
    if (at === -1) return []
    rest = rest.slice(at)
  }
  return rest
}

function fogged(name: string, state: ShellState): ShellState {
  const always = name === 'trap' || name === 'alias' || name === 'coproc' || state.fogged === 'always'
  return { ...state, variables: new Map(), fogged: always ? 'always' : 'before' }
}

function moved(words: readonly BashWord[], state: ShellState): ShellState {
  const unknown = { ...state, directories: null }
  if (words[0]?.value === 'popd' || (state.directories === null && !/^[~/]/.test(words.at(-1)?.value ?? '')))
    return unknown
  const named = words.slice(1).filter((word) => !/^-[LPe@-]+$/.test(word.value ?? ''))
  if (named.length > 1 || (named.length === 0 && words[0]?.value === 'pushd')) return unknown
  const value = named.length === 0 ? homeIn(state) : named[0]?.value
  if (value === null || value === undefined || value === '' || named[0]?.glob === true || /^[-+]/.test(value))
    return unknown
  // `cd -P link; cd ..`: where that leads is on the disk.
  if (words.some((word) => /^-[Le@]*P/.test(word.value ?? '')) && !/^[/~]/.test(value)) return unknown
  const searched = state.variables.has('CDPATH') || state.fogged !== undefined
  if (searched && !/^(\.\.?(\/|$)|[~/])/.test(value)) return unknown
  const directories = (state.directories ?? ['/']).map((from) => resolveFrom(from, state.home, value))
  return { ...state, directories: [...new Set(directories)] }
}

function homeIn(state: ShellState): string | null {
  const values = valueOf('HOME', state)
  return isTexts(values) && values.length === 1 ? (values[0]?.text ?? null) : null
}

/** Options that change how later words are read are dangers; those of globs only widen what these may stand for. */
function options(name: string, words: readonly BashWord[], into: Expansion): boolean {
  const end = name === 'set' ? words.findIndex(({ value }) => value === '--' || value === '-') : -1
  const given = words.slice(1, end === -1 ? undefined : end)
  const odd =
    name === 'set'
      ? readsOtherwise(given)
      : given.some(({ value }) => value === null || (!/^-[supqo]+$/.test(value) && !nouns.test(value)))
  if (odd) into.hazards.push(`${name} changes how later commands are read`)
  return name === 'shopt'
}

function assigning(
  name: string,
  { words, node }: { words: readonly BashWord[]; node: Command },
  into: Expansion,
): ShellState {
  const rest = words.slice(1)
  if (setsVariables(name)) return declared(name, { rest, node }, into)
  switch (name) {
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const names = namesGiven(name, rest)
      return given(names.length > 0 ? names : asNames(['REPLY', 'MAPFILE']), rest, into)
    }
    case 'getopts':
    case 'wait':
    case 'unset':
      return given(namesGiven(name, rest), rest, into)
    case 'printf':
      return printed(rest, into)
    case 'let':
      return worked(rest, into)
    case 'test':
    case '[':
      tested(rest, into)
      return into.state
    default:
      return into.state
  }
}

function asNames(names: readonly string[]): readonly BashWord[] {
  return names.map((text) => ({ text, value: text, glob: false }))
}

/** `printf -v x a`, `printf %n x`: the variables that it sets. A format that nobody knows may be, or hold, either. */
function printed(words: readonly BashWord[], into: Expansion): ShellState {
  if (words[0]?.value === null && /^["'\\]*-/.test(words[0].text))
    return given([], [{ text: '', value: null, glob: false }], into)
  const [, glued] = /^-v(.*)$/s.exec(words[0]?.value ?? '') ?? []
  const target = glued === '' ? words.slice(1, 2) : asNames(glued === undefined ? [] : [glued])
  const rest = glued === undefined ? words : words.slice(glued === '' ? 2 : 1)
  const [format, ...names] = rest[0]?.value === '--' ? rest.slice(1) : rest
  const found = [words[0], format].filter((word) => word !== undefined).filter(({ glob }) => glob)
  const isUnknown = format?.value === null && format.from === undefined
  const counts = isUnknown || /%[^a-zA-Z%]*[hlLjzt]*n/.test(format?.value ?? '')
  const set = [...target, ...(counts ? names : []), ...(isUnknown && format.splits === true ? [format] : []), ...found]
  return set.length === 0 ? into.state : given(set, set, into)
}

/** Variables that get a text from elsewhere. */
function given(names: readonly BashWord[], all: readonly BashWord[], into: Expansion): ShellState {
  if (all.some(({ value, from, glob }) => glob || (value === null && from === undefined))) {
    into.hazards.push('the name of a variable can hold a command')
    return { ...into.state, variables: new Map(), fogged: into.state.fogged ?? 'before' }
  }
  let { state } = into
  for (const value of names.flatMap((word) => (word.value === null ? (word.shorter ?? []) : [word.value]))) {
    if (/^[\d.]*$/.test(value)) continue
    if (value.includes('[')) checkVariable({ text: value, value, glob: false }, into)
    const name = /^[A-Za-z_]\w*/.exec(value)?.[0]
    if (name === undefined) continue
    into.sets.push(name)
    state = assigned(name, null, { ...into, state })
  }
  return state
}

function declared(
  name: string,
  { rest, node }: { readonly rest: readonly BashWord[]; readonly node: Command },
  into: Expansion,
): ShellState {
  const after = withDeclared(rest, node, into)
  // Outside of a function `local` fails; `v=x export v` keeps what stands in front.
  const state = name === 'local' || node.prefix.length > 0 ? unknownAfter(node, joined(into.state, after)) : after
  const fixes = name === 'readonly' || rest.some(({ value }) => /^-[a-zA-Z]*r/.test(value ?? ''))
  const names = rest.flatMap(({ value, text }) => /^[A-Za-z_]\w*/.exec(value ?? text)?.[0] ?? [])
  return fixes ? { ...state, fixed: [...(state.fixed ?? []), ...names] } : state
}

/** The state when the assignments in front of a command may stay. */
function unknownAfter({ prefix }: Command, state: ShellState): ShellState {
  return prefix.reduce((made, part) => (part.type === 'Assignment' ? setting(made, part.name, null) : made), state)
}

function withDeclared(rest: readonly BashWord[], node: Command, into: Expansion): ShellState {
  const flags = rest.flatMap(({ value }) => (/^[-+]/.test(value ?? '') ? [value ?? ''] : []))
  if (flags.some((flag) => /[inuclA]/.test(flag)))
    into.hazards.push('a declared kind of variable works out what it is given')
  const alters = flags.some((flag) => /[nucl]/.test(flag))
  let { state } = into
  for (const part of node.args) {
    if (part.type !== 'Assignment') continue
    state = assignedArgument(part, { ...into, state }, alters)
  }
  for (const { value, text, glob } of rest) {
    if ((value === null || glob) && !/^[A-Za-z_]\w*\+?=/.test(text)) {
      into.hazards.push('the name of a variable can hold a command')
      return { ...state, variables: new Map(), fogged: state.fogged ?? 'before' }
    }
    const [name = '', index] = /^[A-Za-z_]\w*(\[)?/.exec(value ?? text) ?? []
    if (index !== undefined) checkVariable({ text, value: (value ?? text).replace(/\+?=.*$/s, ''), glob: false }, into)
    // An argument in quotes is an assignment too.
    if (
      value !== null &&
      value.includes('=') &&
      name !== '' &&
      !node.args.some((part) => part.type === 'Assignment' && part.text === text)
    )
      state = assigned(name, null, { ...into, state })
  }
  return state
}

function worked(rest: readonly BashWord[], into: Expansion): ShellState {
  let { state } = into
  if (rest.some(({ glob }) => glob)) into.hazards.push('the name of a variable can hold a command')
  for (const word of rest) {
    const [, name, sum] = /^\s*([A-Za-z_]\w*)\s*(?:[-+*/%]?=([^=].*)|\+\+\s*|--\s*)$/s.exec(word.value ?? '') ?? []
    checkNumber(name === undefined ? word : withValue(word, sum ?? name), into)
    // `x+=1` works out what the variable holds.
    if (name !== undefined && !/^\s*\w+\s*=/.test(word.value ?? '')) checkNumber(withValue(word, name), into)
    const set = name ?? /[A-Za-z_]\w*/.exec(word.value ?? '')?.[0]
    if (set === undefined) continue
    into.sets.push(set)
    state = joined(state, setting(state, set, 'number'))
  }
  return state
}

/** A pattern may stand for a file with one of these names. A long one is not looked at. */
function maySay(pattern: string, names: readonly string[]): boolean {
  if (pattern.length > 100) return true
  return names.some((name) => mayFit(name, pattern, { nobrace: true, noext: true, nonegate: true, nocomment: true }))
}

/** `-v` and `-R` look a variable up by its name; words that may come to be one of them count as such. */
function tested(rest: readonly BashWord[], into: Expansion): void {
  for (const [i, word] of rest.entries()) {
    const next = rest[i + 1]
    if ((word.splits === true && word.from === undefined) || (word.glob && maySay(word.value ?? '', ['-v', '-R'])))
      into.hazards.push('the name of a variable can hold a command')
    else if (next !== undefined && [word.value ?? '', ...(word.shorter ?? [])].some((text) => /^-[vR]$/.test(text)))
      checkVariable(next, into)
    else if (word.value === null && word.from === undefined && next?.value?.includes('[') === true)
      checkVariable(next, into)
    else if (word.value === null && word.from === undefined && next?.value === null && next.from === undefined)
      checkVariable(next, into)
  }
}
