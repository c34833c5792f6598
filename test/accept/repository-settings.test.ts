import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { realPaths } from '../../src/adapters/fs/real-paths.ts'
import { decide } from './permissions-adapter.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-settings-')))
const repo = join(base, 'repo')
const tree = join(base, 'tree')
afterEach(() => rmSync(repo, { recursive: true, force: true }))
afterAll(() => rmSync(base, { recursive: true, force: true }))

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@x.test']
  expect(spawnSync('git', [...who, '-C', repo, ...args], { encoding: 'utf8' }).stderr).toBe('')
}

const judged = (command: string, cwd: string, allow: string[] = []): string => {
  const input = { command }
  return decide({
    mode: 'default',
    rules: { allow },
    tool: 'Bash',
    input,
    cwd,
    root: cwd,
    home: base,
    disk: realPaths(),
  })
}

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
  expect(judged('git status', repo, ['Bash(git:*)'])).toBe('allow')
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
  mkdirSync(join(repo, '.husky'))
  writeFileSync(join(repo, '.husky/post-index-change'), './x\n')
  expect(judged('git diff', repo)).toBe('ask')
})

test('git goes into a repository that the index names, by its settings', () => {
  spawnSync('git', ['init', '-q', repo])
  spawnSync('git', ['init', '-q', join(repo, 'inner')])
  git('-C', join(repo, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'x')
  git('-C', join(repo, 'inner'), 'config', 'core.fsmonitor', './x')
  const lines = ['git status', 'git describe --dirty', 'git diff']
  const all = (): readonly string[] => lines.map((line) => judged(line, repo))
  expect(all()).toEqual(['allow', 'allow', 'allow'])
  spawnSync('git', ['-C', repo, 'add', 'inner'])
  expect(all()).toEqual(['ask', 'ask', 'ask'])
  git('-C', join(repo, 'inner'), 'config', '--unset', 'core.fsmonitor')
  expect(all()).toEqual(['allow', 'allow', 'allow'])
})

test('git goes into one that only a commit names as well, where it shows what changed in there', () => {
  spawnSync('git', ['init', '-q', repo])
  expect(judged('git diff --submodule=diff HEAD~1', repo)).toBe('ask')
  expect(judged('git diff --submodule=short HEAD~1', repo)).toBe('allow')
  git('config', 'diff.submodule', 'diff')
  expect(judged('git diff HEAD~1', repo)).toBe('ask')
  git('config', '--unset', 'diff.submodule')
  expect(judged('git diff HEAD~1', repo)).toBe('allow')
})

test('a folder that git takes for a repository is none of the project', () => {
  const shop = join(base, 'shop')
  for (const name of ['sub', 'common/objects', 'common/refs', '.git']) mkdirSync(join(shop, name), { recursive: true })
  writeFileSync(join(shop, 'sub/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(shop, 'sub/commondir'), '../common\n')
  expect([judged('git -C sub log -p', shop), judged('git -C sub diff -C --src-prefix=a', shop)]).toEqual(['ask', 'ask'])
  // An empty `.git` is no repository: git goes on with the folder around.
  for (const name of ['HEAD', 'objects', 'refs']) writeFileSync(join(shop, name), '')
  expect(judged('git status', shop)).toBe('ask')
})
