import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Merged } from '../../../src/adapters/worktrees/merge-tree.ts'

/** What git needs to know of a person, and nothing of the machine's own settings. */
export const env = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_DIR: '/nonexistent',
}

/** A git repository with one commit of these files. */
export function repositoryWith(files: Readonly<Record<string, string>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-tree-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  gitIn(dir, 'init', '-q', '-b', 'main')
  gitIn(dir, 'config', 'user.name', 'Ann')
  gitIn(dir, 'config', 'user.email', 'ann@example.com')
  write(dir, { '.troupe/.gitignore': '*\n', ...files })
  gitIn(dir, 'add', '.')
  gitIn(dir, 'commit', '-q', '-m', 'first')
  return dir
}

export function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
}

/** The same for a command that may fail: a merge that conflicts. */
export function tryGitIn(dir: string, ...args: readonly string[]): void {
  spawnSync('git', [...args], { cwd: dir, env: { PATH: env.PATH, HOME: dir, GIT_EDITOR: 'true' } })
}

/** What git prints, without the last line end. */
export function gitIn(dir: string, ...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: dir, encoding: 'utf8', env: { PATH: env.PATH, HOME: dir } }).trimEnd()
}

/** The reason why a merge did not begin; empty for one that was made. */
export function refusalOf(merged: Merged): string {
  return merged.merged ? '' : merged.reason
}
