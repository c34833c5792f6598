import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'
import type { Look } from './tree-index.ts'

export const actFiles = ['rebase-merge/git-rebase-todo', 'rebase-merge/strategy', 'sequencer/opts']

/** The files that say how git goes on with a rebase or the like, with the times of their last change. */
export function actsOf({ repositories, worktrees }: Look): ReadonlyMap<string, number> {
  const paths = [...repositories, ...worktrees].flatMap((repository) => actFiles.map((name) => join(repository, name)))
  return new Map(paths.flatMap((path) => [[path, changedAt(path)] as const]))
}

/** The moment at which a command begins. */
export interface Begun {
  readonly before: Look
  /** `actsOf(before)`. */
  readonly acts: ReadonlyMap<string, number>
  readonly watched: readonly string[]
}

/**
 * The findings that are known when a command begins while others run: none that appeared since any of these began, so that no two commands
 * make each other's work known.
 *
 * @param running The first that began stands first.
 * @example beginning(index.look(watched), watched, running)
 */
export function beginning(look: Look, watched: readonly string[], running: readonly Begun[]): Begun {
  const isOld = (path: string, wasThere: (before: Look) => boolean): boolean =>
    running.every(({ before, watched: dirs }) => !dirs.some((dir) => isInside(dir, path)) || wasThere(before))
  const old = (key: 'repositories' | 'worktrees' | 'gitFiles' | 'files' | 'shut'): readonly string[] => {
    const there = new Map(running.map(({ before }) => [before, new Set(before[key])]))
    return look[key].filter((path) => isOld(path, (before) => there.get(before)?.has(path) === true))
  }
  const before = {
    ...look,
    repositories: old('repositories'),
    worktrees: old('worktrees'),
    gitFiles: old('gitFiles'),
    files: old('files'),
    shut: old('shut'),
    links: new Map([...look.links].filter(([path, text]) => isOld(path, ({ links }) => links.get(path) === text))),
  }
  const acts = running.toReversed().flatMap((other) => [...other.acts])
  return { before, acts: new Map([...actsOf(before), ...acts]), watched }
}

/** The system's own time of the last change, of a link itself too; 0 where nothing is. */
export function changedAt(path: string): number {
  try {
    return lstatSync(path).ctimeMs
  } catch {
    return 0
  }
}
