import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import type { ActionCommand, ActionPath } from './action.ts'
import type { Looking } from './disk.ts'

/**
 * Marks the paths that may lead elsewhere by the time they are used, because a command in front of them on the line makes a
 * link, or gives one another place.
 */
export function behindNewLinks(
  paths: readonly ActionPath[],
  commands: readonly ActionCommand[],
  disk: Looking,
): readonly ActionPath[] {
  const made: { readonly path: string; readonly by: number }[] = []
  for (const [by, command] of commands.entries()) {
    if (!movesLinks(command)) continue
    const own = paths.filter((path) => path.command === by && path.of === 'operand' && path.loose !== true)
    const target = own.at(-1)
    if (target === undefined || !own.some((path) => path !== target && mayBeLink(path, disk))) continue
    made.push({ path: target.path, by })
  }
  if (made.length === 0) return paths
  return paths.map((path) => {
    const { command = 0 } = path
    return made.some((link) => link.by < command && isInside(link.path, path.path)) ? { ...path, vague: true } : path
  })
}

function movesLinks({ words }: ActionCommand): boolean {
  const inner = unwrapped(words)
  const name = commandName(inner)
  if (name === 'ln' || name === 'mv') return true
  return name === 'cp' && inner.some(({ value }) => /^(-[a-zA-Z]*[adPrRls]|--(a|no-d|p|r|l|sy))/.test(value ?? ''))
}

/** A link, or a directory with one in it. A plain file stays one under another name. */
function mayBeLink({ path, resolved, vague }: ActionPath, disk: Looking): boolean {
  if (vague === true || disk.entries === undefined) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  const kind = disk.entries(disk(resolveFrom(path, '/', '..')))?.find((entry) => entry.name === name)?.kind
  if (kind === 'link') return true
  if (kind !== 'directory') return false
  const inside = disk.below(resolved ?? path)
  return inside === null || inside.some((each) => disk(each) !== each)
}
