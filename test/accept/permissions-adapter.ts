import { resolveReal } from '../../src/adapters/fs/resolve-real.ts'
import type { Behavior, PermissionMode, Policy, RuleLists } from '../../src/protocol/permissions/permission.ts'
import { analyse } from '../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../src/rules/permissions/followed-paths.ts'
import { decide as decideAction } from '../../src/rules/permissions/cascade.ts'
import type { Disk } from '../../src/rules/disk/disk.ts'

export interface Case {
  readonly mode: PermissionMode
  readonly rules: RuleLists
  readonly tool: string
  readonly input: unknown
  readonly cwd: string
  readonly home: string
  /** Directories that are closed to agents. */
  readonly closed?: readonly string[]
  readonly disk?: Disk
  /** The working directory, where the shell is in another one. */
  readonly root?: string
}

/** One acceptance case through analyse, symlink resolution and decide, as the runtime does it. Nothing is run. */
export function decide({
  mode,
  rules,
  tool,
  input,
  cwd,
  home,
  closed = [],
  disk = resolveReal,
  root = cwd,
}: Case): Behavior {
  const policy: Policy = {
    mode,
    rules: { project: rules },
    bounds: { protected: closed, scope: [], blockedHosts: [] },
    directories: [root],
  }
  try {
    return decideAction(followPaths(analyse({ tool, input, cwd, home }), disk), policy).behavior
  } catch {
    // A path that cannot be followed: the runtime refuses the call.
    return 'deny'
  }
}
