import { basename, join } from 'node:path'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import type { MemoryFolder } from '../../adapters/memory/memory-folder.ts'
import { workspaceOf } from '../../adapters/settings/trust-file.ts'
import type { MemoryPlan } from '../../protocol/team/memory-card.ts'
import { claudeMemoryPath } from '../../rules/settings/settings-trust.ts'
import type { MemoryScope } from '../../protocol/memory/memory.ts'

/** Where a person works. */
export interface PersonPlace {
  readonly cwd: string
  readonly home: string
}

/** The folders of memories of a person in a project, by scope. */
export type MemoryFolders = Readonly<Record<MemoryScope, MemoryFolder>>

/**
 * Finds the folders of memories. What a person keeps for one project lies at home, under the project's path: no repository
 * can bring it along.
 *
 * @example memoryFolders({ cwd: '/home/ann/shop', home: '/home/ann' }).project.path // '/home/ann/shop/.troupe/memory'
 */
export function memoryFolders({ cwd, home }: PersonPlace): MemoryFolders {
  const root = workspaceOf(cwd, home)
  const own = resolveReal(join(home, '.troupe'))
  const project = `${basename(root) || 'root'}-${contentHash(root).slice(0, 12)}`
  return {
    user: { scope: 'user', path: join(own, 'memory') },
    local: { scope: 'local', path: join(own, 'projects', project, 'memory') },
    project: { scope: 'project', path: join(root, '.troupe', 'memory') },
  }
}

/** Folders of which none stands twice: a project that is the home itself shares nothing. */
export function eachOnce(folders: readonly MemoryFolder[]): readonly MemoryFolder[] {
  return folders.filter(({ path }, at) => folders.findIndex((other) => other.path === path) === at)
}

/** The folder of the subagent of Claude Code that a member is, or null. */
export function claudeFolder({ cwd, home }: PersonPlace, { scope, claude_agent }: MemoryPlan): MemoryFolder | null {
  if (claude_agent === undefined) return null
  const path = claudeMemoryPath(scope, claude_agent)
  return {
    scope,
    foreign: true,
    path: scope === 'user' ? resolveReal(join(home, path)) : join(workspaceOf(cwd, home), path),
  }
}
