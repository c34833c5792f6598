import type { Operand } from './reach.ts'
import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { sedFiles } from './worked-out-programs.ts'

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
  if (placers.has(name)) return copied(words.slice(1))
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
  const args = words.slice(words.findIndex(({ value }) => value === 'config') + 1).map(({ value }) => value ?? '?')
  if (args.length === words.length || !args.some((arg) => arg.startsWith('--gl'))) return none
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

function copied(words: readonly BashWord[]): readonly Operand[] {
  const named = words.filter(({ value }) => value !== null && value !== '' && !value.startsWith('-'))
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
  const at = words.findIndex(({ value }) => /^(-[a-zA-Z]*S|--suf[a-z]*)(=|$)/.test(value ?? ''))
  const glued = words.flatMap(({ value }) => /^(?:-[a-zA-Z]*S|--suf[a-z]*=)(.+)$/.exec(value ?? '')?.[1] ?? [])
  return glued[0] ?? (at === -1 ? '' : (words[at + 1]?.value ?? ''))
}

/** `cp -t dir`, `cp --target-directory=dir` */
function toldDirectory(words: readonly BashWord[]): string | null | undefined {
  const at = words.findIndex(({ value }) => /^(-[a-zA-Z]*t|--t[a-z-]*)$/.test(value ?? ''))
  if (at !== -1) return words[at + 1]?.value
  return words.flatMap(({ value }) => /^(?:-[a-zA-Z]*t|--t[a-z-]*=)(.+)$/.exec(value ?? '')?.[1] ?? [])[0]
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
