import type { PermissionMode, Policy } from '../../protocol/permissions/permission.ts'
import { permissionSources } from '../../protocol/permissions/permission.ts'
import { isInside } from '../paths/path-inside.ts'
import { modeWidth } from '../permissions/mode.ts'

/**
 * In what a child's policy goes beyond its parent's; nothing when it is a part of it. Judged by what is written, which is
 * stricter than what is meant: every allow rule of the child stands in the parent's lists of the same source, every rule
 * that forbids in the parent's stands in the child's, and modes, directories and bounds are not wider.
 *
 * @example policyExcess(worker, leader) // ['mode acceptEdits is wider than default']
 */
export function policyExcess(child: Policy, parent: Policy): readonly string[] {
  return [
    ...permissionSources.flatMap((source) => {
      const mine = child.rules[source] ?? {}
      const theirs = parent.rules[source] ?? {}
      return [
        ...absent(mine.allow, theirs.allow).map((rule) => `${source} allows ${rule}, which the parent does not`),
        ...absent(theirs.ask, [...(mine.ask ?? []), ...(mine.deny ?? [])]).map(
          (rule) => `${source} no longer asks before ${rule}`,
        ),
        ...absent(theirs.deny, mine.deny).map((rule) => `${source} no longer denies ${rule}`),
      ]
    }),
    ...modeExcess(child, parent),
    ...child.directories
      .filter((dir) => !parent.directories.some((wide) => isInside(wide, dir)))
      .map((dir) => `${dir} is no working directory of the parent`),
    ...boundsExcess(child, parent),
  ]
}

/** An approved plan must not lead further than the parent itself could get. */
function modeExcess(child: Policy, parent: Policy): readonly string[] {
  const wider = (mine: PermissionMode, theirs: PermissionMode): readonly string[] =>
    modeWidth[mine] > modeWidth[theirs] ? [`mode ${mine} is wider than ${theirs}`] : []
  return [
    ...wider(child.mode, parent.mode),
    ...(child.afterPlan === undefined ? [] : wider(child.afterPlan, parent.afterPlan ?? parent.mode)),
  ]
}

function boundsExcess({ bounds: mine }: Policy, { bounds: theirs }: Policy): readonly string[] {
  const scope =
    theirs.scope.length === 0 ||
    (mine.scope.length > 0 && mine.scope.every((dir) => theirs.scope.some((wide) => isInside(wide, dir))))
  return [
    ...theirs.protected
      .filter((dir) => !mine.protected.some((wide) => isInside(wide, dir)))
      .map((dir) => `${dir} is open`),
    ...absent(mine.readable, theirs.readable).map((dir) => `${dir} may be read`),
    ...absent(mine.open, theirs.open).map((dir) => `${dir} is open`),
    ...absent(theirs.sealed, mine.sealed).map((dir) => `${dir} may be changed`),
    ...absent(theirs.blockedHosts, mine.blockedHosts).map((host) => `${host} is not blocked`),
    ...(scope ? [] : ['the scope is wider']),
  ]
}

function absent(wanted: readonly string[] = [], there: readonly string[] = []): readonly string[] {
  if (wanted.length === 0) return []
  const known = new Set(there)
  return wanted.filter((text) => !known.has(text))
}
