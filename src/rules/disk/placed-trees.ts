import { configuresTools, directsCommands } from '../paths/configuring-files.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import type { CopiedTrees } from '../shell/placed-files.ts'
import type { Looking } from './disk.ts'

/** The endings of a path under which some file configures tools only because of the directories around it. */
const endings = [
  'any.yml',
  'workflows/any',
  'copilot-instructions.md',
  'mise/any',
  'releases/any',
  'hgrc',
  'repo/config.toml',
]

/** Where a command runs, and what stands in front of it on the line. */
interface Surroundings {
  readonly from: string
  readonly home: string
  /** Files that commands in front of it changed: what lies in a directory around one is not known. */
  readonly changed: readonly string[]
}

/**
 * The files that come to be when a directory gets another name or is copied, as far as they matter: those that configure
 * tools or say what commands do, those written through a link, and those with a `..` in their names.
 *
 * @example placedTrees({ sources: ['a'], into: '.github', parents: false }, …) // ['/repo/.github/workflows/x.yml']
 */
export function placedTrees(
  { sources, into, parents }: CopiedTrees,
  place: Surroundings,
  disk: Looking,
): readonly string[] {
  const { from, home, changed } = place
  const target = resolveFrom(from, home, into)
  const links = linksBelow(target, disk)
  const found: string[] = []
  for (const source of sources) {
    if (source === into && sources.length > 1 && source === sources.at(-1)) continue
    const tree = resolveFrom(from, home, source)
    const under = resolveFrom(target, '/', `./${source.replace(/^~/, '')}`)
    const roots = [target, `${target}${tree.slice(tree.lastIndexOf('/'))}`, ...(parents ? [under] : [])]
    const real = whereItIs(tree, disk)
    const inside = disk.below(real)
    const isKnown = inside !== null && disk.kindAt(real) !== undefined && !changed.some((path) => isInside(tree, path))
    if (parents) found.push(under)
    if (!isKnown) found.push(...links)
    const names = isKnown ? inside.map((path) => path.slice(real.length)) : endings.map((name) => `/${name}`)
    for (const root of roots)
      for (const name of names) {
        const path = `${root}${name}`
        if (matters(path, isKnown) || links.some((link) => isInside(link, path))) found.push(path)
      }
  }
  return found
}

function matters(path: string, isKnown: boolean): boolean {
  return configuresTools(path) || (isKnown && directsCommands(path))
}

function linksBelow(directory: string, disk: Looking): readonly string[] {
  const real = whereItIs(directory, disk)
  const links = (disk.below(real) ?? []).filter((path) => disk.kindAt(path) === 'link')
  return links.map((path) => `${directory}${path.slice(real.length)}`)
}

/** The path with its links followed; itself where they form a circle. */
function whereItIs(path: string, disk: Looking): string {
  try {
    return disk(path)
  } catch {
    return path
  }
}
