import type { BashCommand } from './bash-commands.ts'
import { commandName, unwrapped } from './bash-runners.ts'
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
}

const editors = new Set(
  'rm rmdir mv touch mkdir ln tee dd truncate chmod chown chgrp unlink shred patch mkfifo'.split(' '),
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
  if (!/^(sed|perl)$/.test(commandName(words))) return false
  return words.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word.value ?? ''))
}

/**
 * Everything in a command's arguments that may be a path, read generously: values of `--flag=value`,
 * `key=value` and `REV:path`, paths glued to a short flag, `file://` addresses.
 *
 * @example `git show HEAD:.env` → operands `show`, `HEAD:.env` and `.env`
 */
export function operandsOf(command: BashCommand): readonly Operand[] {
  const words = unwrapped(command.words)
  if (talkers.has(commandName(words))) return []
  const changes = editsFiles(words)
  const copies = copiers.has(commandName(words)) && !words.some((word) => /^(-t|--target-dir)/.test(word.value ?? ''))
  const program = programAt(words)
  return words.slice(1).flatMap((word, i) => {
    const index = i + 1
    const written = changes && (!copies || index === words.length - 1)
    const shared = { access: written ? 'edit' : 'read', glob: word.glob, loose: index === program } as const
    return pathsIn(word.value ?? '').map((path) => ({ path, ...shared }))
  })
}

/** The place of grep's pattern or sed's program: the first operand, unless a flag brings it. */
function programAt(words: readonly BashWord[]): number {
  if (!programFirst.has(commandName(words))) return -1
  if (words.some((word) => /^(-[a-zA-Z]*[ef]|--(regexp|file|expression|from-file))/.test(word.value ?? ''))) return -1
  return words.findIndex((word, i) => i > 0 && word.value !== null && !word.value.startsWith('-'))
}

function pathsIn(value: string): string[] {
  if (value === '' || value === '-' || value === '--') return []
  if (value.startsWith('file://')) return [value.slice('file://'.length)]
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return []
  const assigned = captured(/^[\w-]+=(.+)$/s, value)
  if (value.startsWith('-')) return assigned.length > 0 ? assigned : gluedIn(value)
  return [value.replace(/^@/, ''), ...assigned, ...captured(/^[^/]*:(.+)$/s, value)]
}

/** `-f/etc/x`, `-rt/etc`: any flag letter may be the one that takes the rest as its value. */
function gluedIn(flags: string): string[] {
  const letters = /^-[A-Za-z]*/.exec(flags)?.[0].length ?? 0
  const values = Array.from({ length: Math.min(letters, 8) }, (_, i) => flags.slice(i + 1)).slice(1)
  return values.filter((value) => /[/.~]/.test(value))
}

function captured(pattern: RegExp, text: string): string[] {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? [] : [found]
}
