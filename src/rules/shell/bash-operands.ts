import type { BashCommand } from './bash-commands.ts'
import { commandName, starts, unwrapped } from './bash-wrappers.ts'
import { quotedTexts } from './bash-code.ts'
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

/** How far a command reads into a directory. */
export interface Below {
  readonly hidden: boolean
  /** Name patterns of the files it opens; empty for all. */
  readonly only: readonly string[]
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
  return words.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word.value ?? ''))
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
  if (places.length < 2) return plainOperands(words)
  // Behind a wrapper any word may be the command that decides what becomes of the others.
  return places.flatMap((at) => plainOperands(words.slice(at)))
}

function plainOperands(words: readonly BashWord[]): readonly Operand[] {
  if (talkers.has(commandName(words))) return nobody
  const changes = editsFiles(words)
  const copies = copiers.has(commandName(words)) && !words.some((word) => /^(-t|--target-dir)/.test(word.value ?? ''))
  const program = programAt(words)
  const below = reachOf(words)
  const known = below === null ? {} : { below }
  const named: Operand[] = []
  for (const [index, word] of words.entries()) {
    const paths = index === 0 || word.value === null ? nothing : pathsIn(word.value)
    if (paths.length === 0) continue
    const written = (changes && (!copies || index === words.length - 1)) || isOutput(words, index)
    const access = written ? 'edit' : 'read'
    for (const path of paths) named.push({ path, access, glob: word.glob, loose: index === program, ...known })
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

/** Without a directory they start in the one they run in. */
function hereToo(named: readonly Operand[], words: readonly BashWord[], below: Below): Operand[] {
  const starts = named.filter(({ loose, path }) => !loose && !path.startsWith('-'))
  const here = { path: '.', access: 'read', glob: false, loose: true, below } as const
  return starts.length === 0 || ownStart.has(commandName(words)) ? [here] : []
}

const reachers = new Set('grep egrep fgrep rg ag ack git cp scp diff zip tar bsdtar rsync 7z'.split(' '))

/** Whether a command opens the files below the directories it is given. */
function reachOf(words: readonly BashWord[]): Below | null {
  const name = commandName(words)
  if (!reachers.has(name)) return null
  const flags = words.flatMap(({ value }) => (value?.startsWith('-') === true ? [value] : []))
  const has = (pattern: RegExp): boolean => flags.some((flag) => pattern.test(flag))
  const only = flags.flatMap((flag) => captured(/^--include=(.+)$/, flag))
  const all = { hidden: true, only: [] }
  if (/^[ef]?grep$/.test(name))
    return has(/^(-[a-zA-Z]*[rR]|--(dereference-)?recursive)/) ? { hidden: true, only } : null
  if (/^(rg|ag|ack)$/.test(name))
    return { hidden: has(/^(-[a-z]*u{2}|--hidden|-\.|--unrestricted|-[a-z]*\.)/), only: [] }
  if (name === 'git') return words.some(({ value }) => /^(grep|archive)$/.test(value ?? '')) ? all : null
  if (/^(cp|scp|diff|zip)$/.test(name)) return has(/^(-[a-zA-Z]*[rRa]|--recursive|--archive)/) ? all : null
  return /^(tar|bsdtar|rsync|7z|zip)$/.test(name) ? all : null
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
  if (value.startsWith('file://')) return [value.slice('file://'.length)]
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
  if (!/[/.~]/.test(flags)) return []
  const letters = /^-[A-Za-z]*/.exec(flags)?.[0].length ?? 0
  const values = Array.from({ length: Math.min(letters, 8) }, (_, i) => flags.slice(i + 1)).slice(1)
  return values.filter((value) => /[/.~]/.test(value))
}

function captured(pattern: RegExp, text: string): string[] {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? [] : [found]
}

/** With these flags they write the file that is named next. */
const writers = new Set(
  'sort curl wget gcc g++ cc clang ld go rustc pandoc openssl esbuild tree git xmllint dot shuf'.split(' '),
)
const outputFlag = /^(-[a-zA-Z]*[oO]|--output|--output-document|--out|-out)$/
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
  if (!writers.has(name)) return false
  const value = words[at]?.value ?? ''
  return outputFlag.test(words[at - 1]?.value ?? '') || /^(-o.|--output=|--out=)/.test(value)
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
