import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { realPaths } from '../../src/adapters/fs/real-paths.ts'
import { decide } from './permissions-adapter.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-settings-')))
const repo = join(base, 'repo')
const tree = join(base, 'tree')
afterAll(() => rmSync(base, { recursive: true, force: true }))

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@x.test']
  expect(spawnSync('git', [...who, '-C', repo, ...args], { encoding: 'utf8' }).stderr).toBe('')
}

const judged = (command: string, cwd: string): string =>
  decide({
    mode: 'default',
    rules: {},
    tool: 'Bash',
    input: { command },
    cwd,
    root: cwd,
    home: base,
    disk: realPaths(),
  })

test('git reads without a question where no setting of the repository starts a program', () => {
  spawnSync('git', ['init', '-q', repo])
  git('commit', '-q', '--allow-empty', '-m', 'x')
  git('worktree', 'add', '-q', '--detach', tree)
  git('config', 'core.hooksPath', '.husky')
  const all = (): readonly string[] =>
    [repo, tree].flatMap((cwd) => ['git status', 'git log -p'].map((line) => judged(line, cwd)))
  expect(all()).toEqual(['allow', 'allow', 'allow', 'allow'])
  git('config', 'diff.external', './x')
  expect(all()).toEqual(['ask', 'ask', 'ask', 'ask'])
  git('config', '--unset', 'diff.external')
  git('config', 'extensions.worktreeConfig', 'true')
  git('-C', tree, 'config', '--worktree', 'core.fsmonitor', './x')
  expect(all()).toEqual(['allow', 'allow', 'ask', 'ask'])

  git('config', '--unset', 'extensions.worktreeConfig')
  rmSync(join(repo, '.git/worktrees/tree/config.worktree'))
  expect(all()).toEqual(['allow', 'allow', 'allow', 'allow'])
  // Git looks into submodules as well, by their own settings.
  mkdirSync(join(repo, '.git/modules/lib/a'), { recursive: true })
  writeFileSync(join(repo, '.git/modules/lib/a/config'), '[core]\n\tfsmonitor = ./x\n')
  expect(all()).toEqual(['ask', 'ask', 'ask', 'ask'])
  rmSync(join(repo, '.git/modules'), { recursive: true })
  writeFileSync(join(tree, '.git'), 'gitdir: a/../b\n')
  expect(all()).toEqual(['allow', 'allow', 'ask', 'ask'])
})
