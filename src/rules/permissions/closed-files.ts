import type { Policy } from '../../protocol/permissions/permission.ts'
import { placesOf } from './cascade.ts'
import type { Action } from './action.ts'
import { judgeBounds } from './bounds.ts'
import { candidates, type Concerned, type PolicyRules } from './rule-index.ts'
import { forbids } from './match.ts'

/**
 * The files that a search below a directory leaves out, because reading them one by one would not be allowed: those that
 * the bounds close, that a deny rule names, or that an ask rule names which the directory itself does not fall under.
 *
 * @returns A test for an absolute path found below `root`.
 * @example closedFiles(policy, policyRules(policy), { cwd, home })('/repo/.env', '/repo') // true with Read(.env) denied
 */
export function closedFiles(
  policy: Policy,
  { index }: PolicyRules,
  at: { readonly cwd: string; readonly home: string },
): (path: string, root: string) => boolean {
  const names = (list: keyof Concerned, action: Action): boolean =>
    candidates(index, action)[list].some(
      ({ ready }) => ready?.rule.kind === 'path' && forbids(ready, action, placesOf(action, policy)) !== null,
    )
  // A person who allowed the search of a directory allowed the files in it.
  let last: { readonly root: string; readonly asked: boolean } | undefined
  const isAsked = (root: string): boolean => {
    if (last?.root !== root) last = { root, asked: names('ask', reading(root, at)) }
    return last.asked
  }
  return (path, root) => {
    const action = reading(path, at)
    if (judgeBounds(action, policy)?.behavior === 'deny' || names('deny', action)) return true
    return names('ask', action) && !isAsked(root)
  }
}

function reading(path: string, at: { readonly cwd: string; readonly home: string }): Action {
  const paths = [{ path, access: 'read', of: 'tool' }] as const
  return { tool: 'Read', kind: 'read', input: {}, ...at, paths, commands: [], hosts: [] }
}
