import type { BashCommand } from './bash-command.ts'
import { commandSaid } from './bash-unseen.ts'
import { showsFiles, workFiles } from './changed-trees.ts'
import type { Operand } from './reach.ts'
import { isHarmlessAssignment, setsVariables, steers, type BashWord } from './bash-word.ts'
import { byProgram, commandName, unwrapped, wraps } from './bash-wrappers.ts'
import { valueGiven, type Option } from './options/given-option.ts'
import { writesNever } from './options/known-options.ts'
import { sedFiles } from './worked-out-programs.ts'
import { byDefault } from './options/word-paths.ts'

/** The option of cp, mv, ln and install for the directory that they write into. */
export const targetDirectory: Option = { letters: 't', names: ['target-directory'] }
const placers = new Set(['cp', 'mv', 'ln', 'install', 'rsync'])
const none: readonly Operand[] = []

/**
 * The files that a command writes under the last part of another name: in the directory that it copies to, or in the one
 * where it runs; and those that a program of sed names.
 *
 * @example `cp x/a dir` may write dir/a; `curl -O https://host.test/a` writes a
 */
export function placedInside(words: readonly BashWord[]): readonly Operand[] {
  const name = commandName(words)
  if (placers.has(name)) return copied(words)
  if (name === 'sed') return sedFiles(words).map((file) => ({ ...file, glob: false, loose: false }))
  if (name === 'git') return keptForAll(words)
  if (name === 'curl' && words.some(({ value }) => value?.includes('%output{') === true)) return toldByFormat(words)
  if (
    name === 'wget' ||
    (name === 'curl' && words.some(({ value }) => /^(-[a-zA-Z]*O|--remote-name)/.test(value ?? '')))
  )
    return fetched(words)
  return none
}

/** `git config --global a.b c` writes the settings of all repositories of a person. */
function keptForAll(words: readonly BashWord[]): readonly Operand[] {
  const verb = words.findIndex(({ value }) => value === 'config')
  if (verb === -1) return none
  const args = words.slice(verb + 1).map(({ value }) => value ?? '?')
  if (!args.some((arg) => arg.startsWith('--gl'))) return none
  if (args.some((arg) => /^(--(get.*|list)|-l|get|list)$/.test(arg))) return none
  const writes =
    args.some((arg) => /^(--(add|unset|re|ed).*|-e|edit|unset)$/.test(arg)) ||
    args.filter((arg) => !arg.startsWith('-')).length > 1
  return writes ? [{ path: '~/.gitconfig', access: 'edit', glob: false, loose: false }] : none
}

/** `curl -w '%output{file}…'` */
function toldByFormat(words: readonly BashWord[]): readonly Operand[] {
  const found = words.flatMap(({ value }) => [...(value ?? '').matchAll(/%output\{(?:>>)?([^}]*)\}/g)])
  return found.map(([, path = '']) => ({ path, access: 'edit', glob: false, loose: true }))
}

/** The words of a command that name files: those behind `--` may begin with a dash. */
function operands(words: readonly BashWord[]): readonly BashWord[] {
  const end = words.findIndex(({ value }) => value === '--')
  return words.filter(
    ({ value }, at) => value !== null && value !== '' && ((end !== -1 && at > end) || !value.startsWith('-')),
  )
}

/** A command that gives all that lies in a directory other names: `cp -r a b`, `mv a b`, `cp --parents a/x b`. */
export interface CopiedTrees {
  readonly sources: readonly string[]
  readonly into: string
  /** The sources keep the directories in their names. */
  readonly parents: boolean
}

/** @example placingOf(`cp -r a b`) // { sources: ['a'], into: 'b', parents: false } */
export function placingOf(words: readonly BashWord[]): CopiedTrees | undefined {
  const name = commandName(words)
  if (name !== 'cp' && name !== 'mv') return undefined
  const named = operands(words.slice(1)).map(({ value }) => value ?? '')
  const told = toldDirectory(words)
  const into = told ?? named.at(-1)
  if (into === undefined || told === null) return undefined
  // The directory is one of the words, unless it is glued to its option.
  const sources = told === undefined ? named : named.toSpliced(named.indexOf(told), named.includes(told) ? 1 : 0)
  return { sources, into, parents: words.some(({ value }) => value?.startsWith('--pa') === true) }
}

function copied(words: readonly BashWord[]): readonly Operand[] {
  const named = operands(words.slice(1))
  const into = toldDirectory(words) ?? named.at(-1)?.value ?? null
  if (into === null) return none
  const suffix = backupSuffix(words)
  const kept: Operand = { path: into + suffix, access: 'edit', glob: false, loose: false }
  const placed = named.flatMap(({ value, glob }): readonly Operand[] => {
    if (value === null || value === into || value.includes(':')) return []
    const last = lastName(value)
    if (last === '' || last === '..') return []
    if (!glob) return [{ path: `${into}/${last}${suffix}`, access: 'edit', glob: false, loose: false }]
    const below = { hidden: true, only: [last], changes: true } as const
    return [{ path: into, access: 'edit', glob: false, loose: true, below }]
  })
  return suffix === '' ? placed : [kept, ...placed]
}

/** `cp -S .json a package` keeps what was there as package.json. */
function backupSuffix(words: readonly BashWord[]): string {
  return valueGiven(words, { letters: 'S', names: ['suffix'] }) ?? ''
}

/** `cp -t dir`, `cp --target-directory=dir` */
function toldDirectory(words: readonly BashWord[]): string | null | undefined {
  return valueGiven(words, targetDirectory)
}

function lastName(path: string): string {
  const plain = path.replace(/\/+$/, '')
  return plain.slice(plain.lastIndexOf('/') + 1)
}

function fetched(words: readonly BashWord[]): readonly Operand[] {
  return words.flatMap(({ value }): readonly Operand[] => {
    const url = /^(?:[a-z]+:\/\/)?[^/]+\/(?:.*\/)?([^/?#]+)(?:[?#].*)?$/i.exec(value ?? '')?.[1]
    return url === undefined ? [] : [{ path: url, access: 'edit', glob: false, loose: true }]
  })
}

/**
 * The files that variables name which a command sets for itself, for what it wraps, or for later commands.
 *
 * @example variableOperands(`export GIT_TRACE=/repo/log`) // `/repo/log`, to which git writes
 */
export function variableOperands({ words, assignments }: BashCommand): readonly Operand[] {
  const inner = unwrapped(words)
  const isSetter = setsVariables(commandName(inner))
  const told = isSetter || wraps(inner) ? inner.slice(1).map(({ value, text }) => value ?? text) : nothing
  const texts = words.map(({ value }) => value ?? '')
  const named = [
    ...assignments.flatMap((text) => givenBy(text, words.length === 0)),
    ...told.flatMap((text) => givenBy(text, isSetter)),
  ]
  const only = writesNever(commandName(inner))
  return [
    ...(only ? named.map((operand) => ({ ...operand, told: undefined })) : named),
    ...[...assignments, ...texts].flatMap(keptOperands),
  ]
}

const nobody: readonly Operand[] = []
const nothing: readonly string[] = []

/** `GIT_EDITOR='tee x'`: a command that may change the files it names. */
function keptOperands(text: string): readonly Operand[] {
  const said = commandSaid(text)
  if (text.startsWith('GIT_EXTERNAL_DIFF=') && !showsFiles(said))
    return [{ path: '.', access: 'edit', glob: false, loose: true, below: workFiles }]
  if (!/\s/.test(said)) return nobody
  return said.split(/[\s'"=:,;|<>()]+/).map((path) => ({ path, access: 'edit', glob: false, loose: true }))
}

/**
 * `GIT_TRACE=/repo/log`, `HISTFILE=log`: the program writes there. `GIT_CONFIG_GLOBAL=x`: the program reads that file. For any
 * other variable nobody knows it.
 */
function givenBy(text: string, stays: boolean): readonly Operand[] {
  const [, variable = '', value = ''] = /^["']?(\w+)\+?=(.+)$/s.exec(text) ?? []
  if (stays ? !steers(variable) : isHarmlessAssignment(text) && !written.test(variable)) return nobody
  const access = written.test(variable) ? 'edit' : 'read'
  const told = read.test(variable) || optionsOf.has(variable) ? undefined : true
  const paths = value
    .replaceAll(byDefault, '$1')
    .split(/[\s'"=:,;|<>()]+/)
    .filter((piece) => piece !== '')
  return paths.map((path) => ({ path: path.replace(here, './'), access, glob: false, loose: true, told }))
}

/** Variables that hold options of a program, with the words of a call in front of them. */
const optionsOf = byProgram<readonly string[]>({
  TAR_OPTIONS: ['tar', '-c'],
  ZIPOPT: ['zip'],
  UNZIP: ['unzip', 'x.zip'],
  LESS: ['less'],
  NODE_OPTIONS: ['node'],
})

/**
 * The options that variables give to programs, each as a call of its program.
 *
 * @example callsOfVariables(`TAR_OPTIONS=--file=x tar c a`) // `tar -c --file=x`
 */
export function callsOfVariables({ words, assignments }: BashCommand): readonly (readonly BashWord[])[] {
  return [...assignments, ...words.map(({ value, text }) => value ?? text)].flatMap((assigned) => {
    const [, variable = '', value = ''] = /^(\w+)\+?=(.+)$/s.exec(assigned) ?? []
    const call = optionsOf.get(variable)
    if (call === undefined) return []
    const options = value.replaceAll(/["'\\]/g, '').split(/\s+/)
    return [[...call, ...options].map((text): BashWord => ({ text, value: text, glob: false }))]
  })
}

const here = /^\$(PWD|\{PWD\})\//

/** A program writes to a place that a variable names and that only a running shell knows. */
export function writesUnknownPlace({ words, assignments }: BashCommand): boolean {
  const inner = unwrapped(words)
  const told = setsVariables(commandName(inner)) || wraps(inner) ? inner.slice(1).map(({ text }) => text) : nothing
  if (assignments.length === 0 && told.length === 0) return false
  return [...assignments, ...told].some((text) => {
    const [, variable = '', value = ''] = /^["']?(\w+)\+?=["']?(.+)$/s.exec(text) ?? []
    return steers(variable) && written.test(variable) && /[$`]/.test(value.replace(known, ''))
  })
}

/** The places at which a person's own files begin. */
const known = /^\$(\{(PWD|HOME|TMPDIR|GOPATH)\}|(PWD|HOME|TMPDIR|GOPATH)\b)/

const written =
  /TRACE|HISTFILE|HISTORY|LOG|OUT|COVERAGE|PROFILE|DUMP|REDIRECT|CACHE|TARGET_DIR|^GO(BIN|PATH|TMPDIR)$|^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|CONFIG|CONFIG_(GLOBAL|SYSTEM))$|^TAPE$/
/** Variables that name what a program reads or runs. */
const read =
  /(PATH|CONFIG|CONF|CFG|RC|ENV|STARTUP|INPUT|SOURCE|SRC|CERTS?|CERT_FILE|CA_\w+|KEY|KEYFILE|PASSFILE|ENTRY|SCHEMA|MANIFEST|TEMPLATE|PRELOAD|SHELL|EDITOR|PAGER|CC|CXX)$/
