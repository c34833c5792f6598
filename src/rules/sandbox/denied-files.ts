import type { Policy } from '../../protocol/permissions/permission.ts'
import { isInside, type Places } from '../paths/path-inside.ts'
import { policyRules } from '../permissions/rule-index.ts'
import { coversTool } from '../permissions/rule.ts'

/** The files that deny rules close: a program that computes a name is held by the mounts of a sandbox alone. */
export interface DeniedFiles {
  readonly read: readonly string[]
  readonly edit: readonly string[]
}

/** Each is a mount: a sandbox with more of them would take seconds to begin. */
const mostFiles = 300

/**
 * Paths on this disk that deny rules of a policy close: those among `seen` that they match, and the paths that they
 * name without a pattern, there or not. Only the outermost ones are listed.
 *
 * @param seen Absolute paths of what was found in the working directories.
 * @throws when they are too many
 * @example deniedFiles(policy, '/home/ann', ['/repo/.env', '/repo/a']).read // ['/repo/.env'] with Read(.env) denied
 */
export function deniedFiles(policy: Policy, home: string, seen: readonly string[]): DeniedFiles {
  const root = policy.directories[0] ?? '/'
  const places: Places = { cwd: root, home, root }
  const rules = policyRules(policy).paths.filter(({ list }) => list === 'deny')
  const closedTo = (tool: 'Read' | 'Edit'): readonly string[] => {
    const patterns = rules.flatMap(({ ready }) =>
      ready?.pattern && coversTool(ready.rule, tool) ? [ready.pattern] : [],
    )
    // Where a rule closes all around a working directory, commands would not even start there: that is left to rules.
    const named = patterns
      .flatMap((pattern) => pattern.whole(places) ?? [])
      .filter((path) => !policy.directories.some((dir) => isInside(path, dir)))
    const found = seen.filter((path) => {
      // Most patterns are about names that a path does not have: that is seen at a glance.
      const small = path.toLowerCase()
      return patterns.some((pattern) => small.includes(pattern.sure) && pattern.matches(path, places))
    })
    return outermost([...named, ...found])
  }
  return { read: closedTo('Read'), edit: closedTo('Edit') }
}

/** Sorted, so that a directory stands before what is in it. */
function outermost(paths: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const path of [...new Set(paths)].toSorted()) {
    if (kept.some((dir) => isInside(dir, path))) continue
    if (kept.length === mostFiles)
      throw new Error(
        `rules close more than ${mostFiles} files to the sandbox: name their directories, e.g. Read(./keys/**)`,
      )
    kept.push(path)
  }
  return kept
}
