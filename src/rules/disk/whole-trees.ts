import { isInside } from '../paths/path-inside.ts'
import type { Below } from '../shell/reach.ts'
import type { Looking } from './disk.ts'
import { repositoryOf } from './repositories.ts'

/** A directory that a command reads or changes as a whole. */
export interface Tree {
  readonly below: Below
  readonly spot: string
  /** Another repository, which may be a copy of the project's own. */
  readonly copy: boolean
}

/**
 * The directories that a command goes through which names one, with and without links followed: looked up once for all
 * rules about files.
 *
 * @param spots the directory as it is named and, where that is another one, as it is
 * @param root the project's root
 * @example treesAt(['/repo/.git'], history, { disk, root: '/repo' }) // [{ spot: '/repo', … }]
 */
export function treesAt(
  spots: readonly string[],
  below: Below,
  { disk, root }: { readonly disk: Looking | undefined; readonly root: string },
): readonly Tree[] {
  // A name of a remote is none of a directory here.
  if (below.named === true && disk?.kindAt(spots.at(-1) ?? '') === undefined) return []
  return spots.map((at) => {
    const around = below.history === true && disk !== undefined ? repositoryOf(at, disk) : null
    // Among the files of git itself, a dot stands for all of the project.
    const spot = around !== null && (below.whole === true || around.bare) ? around.top : at
    return { below, spot, copy: below.history === true && !isInside(root, spot) }
  })
}
