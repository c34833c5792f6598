import type { BashCommand } from './bash-command.ts'
import { commandName, starts, unwrapped } from './bash-wrappers.ts'
import { quotedTexts } from './bash-code.ts'
import { fedPaths } from './fed-paths.ts'
import { reachOf, type Below } from './reach.ts'
import type { BashWord } from './bash-word.ts'

/** An argument of a command that may name a file. */
export interface Operand {
  /** As written after quote removal, not yet absolute. */
  readonly path: string
  readonly access: 'read' | 'edit'
  /** Stands for whatever files match. */
  readonly glob: boolean
  /** More likely a search pattern or program than a file: protects, but proves nothing. */
  readonly loose: boolean
  readonly below?: Below
}

const editors = new Set(
  `rm rmdir mv touch mkdir ln tee dd truncate chmod chown chgrp unlink shred patch mkfifo gzip gunzip bzip2 bunzip2 xz unxz
  zstd sponge split csplit`.split(/\s+/),
)
/** The last operand is written, the others are read. */
const copiers = new Set(['cp', 'install', 'rsync', 'scp'])
const programFirst = new Set('grep egrep fgrep rg sed awk gawk mawk jq perl ag ack'.split(' '))
const talkers = new Set(['echo', 'printf', ':', 'true', 'false'])

/** Says whether a command changes the files it names. */
export function editsFiles(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  return editors.has(name) || copiers.has(name) || editsInPlace(words)
}

function editsInPlace(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name !== 'sed' && name !== 'perl') return false
  return words.some((word) => /^(-[a-zA-Z]*i|--i)/.test(word.value ?? ''))
}

/**
 * Finds all in a command's arguments that may be a path, read generously: values of `--flag=value`,
 * `key=value` and `REV:path`, paths glued to a short flag, `file://` addresses.
 *
 * @example `git show HEAD:.env` → operands `show`, `HEAD:.env` and `.env`
 */
export function operandsOf(command: BashCommand): readonly Operand[] {
  const words = unwrapped(command.words)
  const places = starts(words)
  const { listed } = command
  const access = editsFiles(words) ? 'edit' : 'read'
  const placed =
    listed?.paths.map((path): Operand => ({
      path,
      access,
      glob: /[*?[]/.test(path),
      loose: true,
      below: listed.below,
    })) ?? nobody
  const fed = fedPaths(command).map((path): Operand => ({ path, access: 'edit', glob: false, loose: true }))
  // Behind a wrapper any word may be the command that decides what becomes of the others.
  const named = places.length < 2 ? plainOperands(words) : behindWrapper(words, places)
  return fed.length === 0 && placed.length === 0 ? named : [...named, ...fed, ...placed]
}

/** More words than this behind a wrapper are looked at only once. */
const mostPlaces = 64

function behindWrapper(words: readonly BashWord[], places: readonly number[]): readonly Operand[] {
  const known = places.filter((at) => at === 0 || isKnown(commandName(words.slice(at, at + 1)))).slice(0, mostPlaces)
  return [...plainOperands(words), ...known.flatMap((at) => (at === 0 ? [] : plainOperands(words.slice(at))))]
}

/** A program that does something else with its arguments than to read them. */
function isKnown(name: string): boolean {
  return editors.has(name) || copiers.has(name) || writers.has(name) || programFirst.has(name) || known.has(name)
}

const known = new Set('git tar bsdtar zip unzip 7z diff ln uniq xxd perl ed'.split(' '))

function plainOperands(words: readonly BashWord[]): readonly Operand[] {
  if (talkers.has(commandName(words))) return nobody
  const changes = editsFiles(words)
  const copies = copiers.has(commandName(words)) && !words.some(({ value }) => /^(-[a-zA-Z]*t|--t)/.test(value ?? ''))
  const links = commandName(words) === 'cp' && words.some(({ value }) => /^(-[a-zA-Z]*[ls]|--(l|sy))/.test(value ?? ''))
  const last = words.length - 1
  const program = programAt(words)
  const below = reachOf(words)
  const known = below === null ? {} : { below }
  const named: Operand[] = []
  for (const [index, word] of words.entries()) {
    const paths = index === 0 || word.value === null ? nothing : pathsIn(word.value)
    if (paths.length === 0) continue
    const written =
      (changes && (!copies || index === last || links)) || isOutput(words, index) || isTarget(words, index)
    const access = written ? 'edit' : 'read'
    for (const path of paths) named.push({ path, access, glob: word.glob, loose: index === program, ...known })
    if (!isPlainName(word.value ?? ''))
      for (const path of piecesIn(word.value ?? '')) named.push({ path, access, glob: false, loose: true })
  }
  const more = below === null ? nobody : hereToo(named, words, below)
  // A program text that names a file may change that file.
  for (const path of quotedTexts(words)) named.push({ path, access: 'edit', glob: false, loose: true })
  return more.length === 0 ? named : [...named, ...more]
}

const nobody: readonly Operand[] = []
const nothing: readonly string[] = []

/** Where these start is not said by their operands. */
const ownStart = new Set(['git', 'rg', 'ag', 'ack'])
const searchers = new Set('grep egrep fgrep rg ag ack git'.split(' '))

/** Without a directory they start in the one they run in. */
function hereToo(named: readonly Operand[], words: readonly BashWord[], below: Below): Operand[] {
  if (!searchers.has(commandName(words))) return []
  const starts = named.filter(({ loose, path }) => !loose && !path.startsWith('-'))
  const end = words.findIndex(({ value }) => value === '--')
  const limited = end !== -1 && words.slice(end + 1).every(({ value }) => /^[\w./-]+$/.test(value ?? '*'))
  const here = { path: '.', access: 'read', glob: false, loose: true, below } as const
  return starts.length === 0 || (ownStart.has(commandName(words)) && !limited) ? [here] : []
}

/** The place of grep's pattern or sed's program: the first operand, unless a flag brings it. */
function programAt(words: readonly BashWord[]): number {
  if (!programFirst.has(commandName(words))) return -1
  if (words.some((word) => /^(-[a-zA-Z]*[ef]|--(regexp|file|expression|from-file))/.test(word.value ?? ''))) return -1
  return words.findIndex((word, i) => i > 0 && word.value !== null && !word.value.startsWith('-'))
}

function pathsIn(value: string): readonly string[] {
  if (value === '' || value === '-' || value === '--') return nothing
  // Most words are one plain name.
  if (!/^[-@]|[=:]/.test(value)) return [value]
  if (value.startsWith('file://')) return [decoded(value.slice('file://'.length))]
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return []
  const assigned = captured(/^[\w-]+=(.+)$/s, value)
  if (value.startsWith('-')) return assigned.length > 0 ? assigned : gluedIn(value)
  return [
    value.replace(/^@/, ''),
    ...assigned.map((path) => path.replace(/^@/, '')),
    ...captured(/^[^/]*:(.+)$/s, value),
  ]
}

/** `-f/etc/x`, `-rt/etc`: any flag letter may be the one that takes the rest as its value. */
function gluedIn(flags: string): string[] {
  if (flags.startsWith('--') || flags.length < 3) return []
  const letters = /^-[A-Za-z]*/.exec(flags)?.[0].length ?? 0
  const values = Array.from({ length: Math.min(letters, 8) }, (_, i) => flags.slice(i + 1)).slice(1)
  return values
}

function isPlainName(value: string): boolean {
  return !/[@=:,;<]/.test(value) || value.length > 4_000
}

/** `f=<.env;type=x`, `./.env:/x:ro`, `k=@.env`: what stands between the signs may be a file. */
function piecesIn(value: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !value.startsWith('file:')) return nothing
  const plain = value.startsWith('file:') ? decoded(value.replace(/^file:\/*(?=\/)/, '')) : value.replace(/^-+\w/, '')
  return plain.split(/[@=:,;<]+/).filter((piece) => /[\w.]/.test(piece) && !/\s/.test(piece))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `cp -tDIR`, `--targ=DIR`: the directory that is written into. */
function isTarget(words: readonly BashWord[], at: number): boolean {
  if (!copiers.has(commandName(words)) && !/^(mv|ln)$/.test(commandName(words))) return false
  return (
    /^(-[a-zA-Z]*t.|--t[a-z-]*=)/.test(words[at]?.value ?? '') ||
    /^(-[a-zA-Z]*t|--t[a-z-]*)$/.test(words[at - 1]?.value ?? '')
  )
}

function captured(pattern: RegExp, text: string): string[] {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? [] : [found]
}

/** With these flags they write the file that is named next. */
const writers = new Set(
  'sort curl wget gcc g++ cc clang ld go rustc pandoc openssl esbuild tree git xmllint dot shuf'.split(' '),
)
const outputFlag = /^(-[a-zA-Z]*[oO]|--out[a-z-]*|-out)$/
/** With these curl and wget write more than what they fetch. */
const downloads =
  /^(-[DcaoO]|--(dump-header|cookie-jar|trace|trace-ascii|stderr|output-dir|append-output|output-file|etag-save|hsts|save-cookies))$/
/** Subcommands of git that change the files named behind them. */
const gitEdits = /^(checkout|restore|rm|mv|clean)$/

/**
 * Says whether a command writes the file that one of its words names: the value of `-o`, the second operand of `uniq`,
 * the archive that `tar` makes, the files that it unpacks.
 *
 * @example `tar czf out.tgz src` → the word `out.tgz`
 */
function isOutput(words: readonly BashWord[], at: number): boolean {
  const name = commandName(words)
  if (name === 'uniq' || name === 'xxd') return operandAt(words, at) === 1
  if (name === 'tar' || name === 'bsdtar') return ofTar(words, at)
  if (name === 'zip' || name === '7z') return operandAt(words, at) === (name === 'zip' ? 0 : 1)
  if (name === 'unzip') return operandAt(words, at) > 0
  if (name === 'git' && gitEdits.test(words.find(({ value }, i) => i > 0 && /^[a-z]/.test(value ?? ''))?.value ?? ''))
    return true
  if (/^(curl|wget)$/.test(name) && downloads.test(words[at - 1]?.value ?? '')) return true
  if (!writers.has(name)) return false
  const value = words[at]?.value ?? ''
  return outputFlag.test(words[at - 1]?.value ?? '') || /^(-[a-zA-Z]*o.|--out[a-z-]*=)/.test(value)
}

/** A tar that unpacks writes files, and one that packs writes an archive. */
function ofTar(words: readonly BashWord[], at: number): boolean {
  const flags = words[1]?.value ?? ''
  const short = words
    .slice(1)
    .flatMap(({ value }, i) => (/^-[a-zA-Z]/.test(value ?? '') || i === 0 ? [value ?? ''] : []))
  const does = (letters: RegExp, long: RegExp): boolean =>
    short.some((word) => letters.test(word)) || words.some(({ value }) => long.test(value ?? ''))
  const before = words[at - 1]?.value ?? ''
  const isArchive = /^(-[a-zA-Z]*f|--file)$/.test(before) || (at === 2 && !flags.startsWith('-') && flags.includes('f'))
  if (isArchive || (words[at]?.value ?? '').startsWith('--file='))
    return does(/^-?[a-zA-Z]*[cruA]/, /^--(create|append|update|cat)/)
  return at > 1 && does(/^-?[a-zA-Z]*x/, /^--(extract|get)/)
}

/** The how-manieth word it is that is no flag; -1 for a flag. */
function operandAt(words: readonly BashWord[], at: number): number {
  if (words[at]?.value?.startsWith('-') === true) return -1
  return words.slice(1, at).filter(({ value }) => value?.startsWith('-') !== true).length
}
