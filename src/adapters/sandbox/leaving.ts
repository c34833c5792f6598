import { dirname, resolve } from 'node:path'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { detours } from '../../rules/paths/named-place.ts'
import { resolveReal } from '../fs/resolve-real.ts'
import { realPlace } from './look-at.ts'
import type { Look } from './tree-index.ts'

/** The end of a command, as far as the files in the directories where commands write are concerned. */
export interface Leaving {
  /** The look when the command began, and the one now. */
  readonly before: Look
  readonly after: Look
  /** `actsOf(before)`, taken when the command began. */
  readonly acts: ReadonlyMap<string, number>
  /** Directories that are looked through. */
  readonly watched: readonly string[]
  /** The directory that is not, although commands write there. */
  readonly temporary: string
  readonly writers?: FileWriters | undefined
}

/** Whether a path, there or not, leads where commands write and nobody looks, or not to the same place for everybody. */
export function isAstray(path: string, text: string, { watched, temporary }: Leaving): boolean {
  if (detours(text)) return true
  const real = realPlace(resolve(dirname(path), text))
  if (real === null) return false
  const within = (dirs: readonly string[]): boolean => dirs.some((dir) => isInside(resolveReal(dir), real))
  return within(['/proc', '/dev/fd']) || (within([temporary]) && !within(watched))
}
