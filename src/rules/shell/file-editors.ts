import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { verbAt } from './reach.ts'

/** Programs that change, make or remove the files they name. */
export const editors = new Set(
  `rm rmdir mv touch mkdir ln tee dd truncate chmod chown chgrp unlink shred patch mkfifo gzip gunzip bzip2 bunzip2 xz unxz
  zstd sponge split csplit`.split(/\s+/),
)
/** Programs that write the last file they name, and read the others. */
export const copiers = new Set(['cp', 'install', 'rsync', 'scp'])

/** Programs that read the first file they name, and write the second one. */
export const secondWriters: ReadonlySet<string> = new Set(['uniq', 'xxd'])

/** Says whether a command changes the files it names. */
export function editsFiles(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  return editors.has(name) || copiers.has(name) || editsInPlace(name, words)
}

function editsInPlace(name: string, words: readonly BashWord[]): boolean {
  if (name === 'yq') return words.some(({ value }) => /^(-[a-zA-Z]*i|--inplace)/.test(value ?? ''))
  if (name === 'go') return words[1]?.value === 'mod' && words[2]?.value === 'edit'
  if (name.endsWith('awk'))
    return printsAnywhere(words) || words.some(({ value }) => /^(-i|--include=?)?inplace$/.test(value ?? ''))
  if (name !== 'sed' && name !== 'perl') return false
  return words.some((word) => /^(-[a-zA-Z]*i|--i)/.test(word.value ?? ''))
}

/** `print > f`: awk writes a file whose name it works out. */
export function printsAnywhere(words: readonly BashWord[]): boolean {
  if (!commandName(words).endsWith('awk')) return false
  return words.some(({ value }) =>
    (value ?? '')
      .replaceAll(/"(?:\\.|[^"\\])*"/g, '""')
      .split(/[;}\n]/)
      .some(
        (statement) =>
          statement.includes('print') && />\s*[A-Za-z_$(]/.test(statement.slice(statement.indexOf('print'))),
      ),
  )
}

/** `mayPatch('git am x')`: the files that the command changes are named in a patch, and not on the line. */
export function mayPatch(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name !== 'git') return name === 'patch'
  const verb = words[verbAt(words)]?.value
  if (verb === 'update-index') return words.some(({ value }) => value?.startsWith('--index-i') === true)
  // A stash is no patch, but a change of what the repository held.
  return words.some(isPatching) && verb !== 'stash'
}

function isPatching({ value }: BashWord): boolean {
  return value === 'apply' || value === 'am'
}
