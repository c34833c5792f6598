import { isInside } from '../paths/path-inside.ts'
import type { BashCommand } from '../shell/bash-command.ts'
import { onlyReads } from '../shell/bash-reads.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { directoryAround, kindsOf, pathIn, type Looking } from './disk.ts'
import { repositoryOf } from './repositories.ts'

/** Files that say what a search leaves out, or takes in again. */
const ignoreFiles: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore'])

/**
 * A test for files that a search which begins in a directory passes over for sure, as the `.gitignore` at the top of its
 * repository names them, or a directory around them, plainly. Where other files may take something in again, it says no.
 *
 * @example ignoredBelow('/repo', disk)?.('/repo/dist/a.js')
 */
export function ignoredBelow(start: string, disk: Looking): ((path: string) => boolean) | null {
  const top = repositoryOf(start, disk)?.top
  if (top === undefined || !isInside(top, start)) return null
  const names = namesLeftOut(disk.text?.(pathIn(top, '.gitignore')) ?? null)
  if (names === null || hasOthersAbove(top, disk)) return null
  return (path) => {
    for (let at = path; at !== start && isInside(start, at); at = directoryAround(at)) {
      const name = at.slice(at.lastIndexOf('/') + 1)
      const isNamed = names.anywhere.has(name) || (names.atTop.has(name) && directoryAround(at) === top)
      const isMeant = at !== path || !names.directories.has(name) || disk.kindAt(at) === 'directory'
      if (isNamed && isMeant && !hasOthersBetween(top, at, disk)) return true
    }
    return false
  }
}

interface LeftOut {
  readonly anywhere: ReadonlySet<string>
  readonly atTop: ReadonlySet<string>
  /** Names that only mean directories. */
  readonly directories: ReadonlySet<string>
}

/** The plain names of a `.gitignore`; null where it takes something in again. */
function namesLeftOut(text: string | null): LeftOut | null {
  const lines = (text ?? '!').split('\n').map((line) => line.trimEnd())
  if (lines.some((line) => line.startsWith('!'))) return null
  const named = lines.flatMap((line) => {
    const [, slash = '', name = '', end = ''] = /^(\/?)([\w.@-]+)(\/?)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, top: slash !== '', directory: end !== '' }]
  })
  const of = (chosen: readonly { readonly name: string }[]): ReadonlySet<string> =>
    new Set(chosen.map(({ name }) => name))
  return {
    anywhere: of(named.filter(({ top }) => !top)),
    atTop: of(named.filter(({ top }) => top)),
    directories: of(named.filter(({ directory }) => directory)),
  }
}

function hasOthersAbove(top: string, disk: Looking): boolean {
  for (let at = top; ; at = directoryAround(at)) {
    const there = kindsOf(disk.entries?.(at))
    if (there.has('.ignore') || there.has('.rgignore')) return true
    if (at === '/') return false
  }
}

function hasOthersBetween(top: string, path: string, disk: Looking): boolean {
  for (let at = directoryAround(path); at !== top && isInside(top, at); at = directoryAround(at)) {
    const there = kindsOf(disk.entries?.(at))
    if ([...ignoreFiles].some((name) => there.has(name))) return true
  }
  return false
}

/** Programs that may write files of names that do not stand on the line. */
const writing = /^(wget|curl|node|python[\d.]*|bash|sh|source|\.)$/

interface Line {
  readonly commands: readonly BashCommand[]
  readonly paths: readonly { readonly path: string; readonly access: 'read' | 'edit'; readonly below?: unknown }[]
  readonly input: Readonly<Record<string, unknown>>
}

/** Says whether a line leaves the files alone that say what a search on it passes over. */
export function keepsIgnoreFiles({ commands, paths, input }: Line): boolean {
  if (String(input['command']).includes('RIPGREP')) return false
  const keeps = ({ words, listed }: BashCommand): boolean =>
    words.length === 0 ||
    listed?.below.hidden === false ||
    (onlyReads(words) && !writing.test(commandName(unwrapped(words))))
  const isOther = (path: string): boolean => !ignoreFiles.has(path.slice(path.lastIndexOf('/') + 1))
  return (
    commands.every(keeps) &&
    paths.every(({ path, access, below }) => access === 'read' || (below === undefined && isOther(path)))
  )
}
