import { basename, dirname, join } from 'node:path'
import {
  permissionSources,
  sourceTraits,
  type OriginsBySource,
  type Policy,
  type RuleOrigin,
} from '../../protocol/permissions/permission.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import type { OwnTree } from './workplaces.ts'

/**
 * The same policy for a member in a worktree of its own: its tree is open although the directory around it is closed, the
 * trees of others and the run's directory are not, the checkout around it can be read and not changed, and what a
 * project's rules say of the repository's files they say of the tree's.
 * @param policy made for the working directory inside the tree
 */
export function policyInTree(policy: Policy, tree: OwnTree): Policy {
  const { top, main, git, repository } = tree
  const sealed = [...new Set([repository, git, ...(basename(git) === '.git' ? [dirname(git)] : [])])]
  const { bounds, origins, sandboxed } = policy
  return {
    ...policy,
    bounds: { ...bounds, protected: [join(main, '.troupe'), ...bounds.protected], open: [top], sealed },
    ...(origins === undefined ? {} : { origins: inTree(origins, tree) }),
    ...(sandboxed === undefined ? {} : { sandboxed: withGit(sandboxed, git) }),
  }
}

/** A commit is written where the repository keeps its objects; what git runs and how stays closed. */
function withGit(sandboxed: NonNullable<Policy['sandboxed']>, git: string): NonNullable<Policy['sandboxed']> {
  const { allowWrite = [], denyWrite = [], denyRead = [], allowRead = [] } = sandboxed.files ?? {}
  const closed = ['hooks', 'config'].map((name) => join(git, name))
  const files = { allowWrite: [...allowWrite, git], denyWrite: [...denyWrite, ...closed], denyRead, allowRead }
  return { ...sandboxed, files }
}

const sources = permissionSources.filter((source) => sourceTraits[source].files === 'workspace')

/** A rule of a settings file in the repository is anchored in the tree, where the member's copy of the files is. */
function inTree(origins: OriginsBySource, tree: OwnTree): OriginsBySource {
  const moved = sources.flatMap((source) => {
    const lists = Object.entries(origins[source] ?? {})
    return lists.length === 0
      ? []
      : [[source, Object.fromEntries(lists.map(([list, known]) => [list, known.map((each) => movedTo(each, tree))]))]]
  })
  return { ...origins, ...(Object.fromEntries(moved) as OriginsBySource) }
}

function movedTo(origin: RuleOrigin, { repository, top }: OwnTree): RuleOrigin {
  const { root } = origin
  if (root === undefined || !isInside(repository, root)) return origin
  return { ...origin, root: `${top}${root.slice(repository.length)}` }
}
