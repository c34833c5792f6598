import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PermissionMode } from '../../../src/protocol/permissions/permission.ts'

/** One answer of a model, written by hand. */
export interface Answer {
  readonly say?: string
  readonly calls?: readonly { readonly tool: string; readonly input: object }[]
}

/** A small piece of work for a team that ships, with everything its models say. */
export interface Scene {
  readonly team: string
  readonly task: string
  readonly mode?: PermissionMode
  readonly allow?: readonly string[]
  /** The repository's first and only commit. */
  readonly committed: Readonly<Record<string, string>>
  /** What lies in the working tree beside it. */
  readonly uncommitted?: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, readonly Answer[]>>
}

export function call(tool: string, input: object): { tool: string; input: object } {
  return { tool, input }
}

/** One call of Delegate: `[worker, task, context]` per piece of work. */
export function delegate(...pieces: readonly (readonly [worker: string, task: string, context?: string])[]) {
  const subtasks = pieces.map(([worker, task, context]) => ({ worker, task, ...(context ? { context } : {}) }))
  return [call('Delegate', { subtasks })]
}

/** Lays the scene's repository out in an empty directory. */
export function layOut(scene: Scene, dir: string): void {
  write(dir, scene.committed)
  const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    [...who, 'commit', '-q', '-m', 'Begin'],
  ]) {
    execFileSync('git', args, { cwd: dir, env: environment(dir) })
  }
  write(dir, scene.uncommitted ?? {})
}

/** What the tools of a scene may know of the machine: the programs on it and a home that is empty. */
export function environment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  }
}

function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
}
