import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitHistory } from '../../../src/adapters/fs/git-history.ts'

let base = ''
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-history-')))
  mkdirSync(join(base, 'repo'))
  git('init', '-q')
  write('a.txt')
  commit()
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', ...args], {
    cwd: join(base, 'repo'),
    encoding: 'utf8',
    stdio: 'pipe',
  })
const write = (name: string, tree = 'repo'): void => writeFileSync(join(base, tree, name), `${name}\n`)
const commit = (...at: readonly string[]): void => {
  git(...at, 'add', '-Af', '.')
  git(...at, 'commit', '-qm', 'x')
}
const names = (tree = 'repo'): readonly string[] =>
  [...(gitHistory(join(base, tree)) ?? [])].map((path) => path.slice(join(base, tree).length + 1))

test('files that are gone belong to it, and what was added and not committed', () => {
  write('.env')
  commit()
  git('rm', '-q', '.env')
  commit()
  write('new.txt')
  git('add', 'new.txt')
  expect(names().toSorted()).toEqual(['.env', 'a.txt', 'new.txt'])
})

test('a commit in a worktree is seen as soon as it is there', () => {
  git('worktree', 'add', '-q', '../tree')
  expect(names('tree')).toEqual(['a.txt'])
  write('.env', 'tree')
  commit('-C', '../tree')
  expect(names('tree').toSorted()).toEqual(['.env', 'a.txt'])
})

test('nobody can say what other repositories lend', () => {
  writeFileSync(join(base, 'repo/.git/objects/info/alternates'), '/elsewhere/objects\n')
  expect(gitHistory(join(base, 'repo'))).toBeNull()
})
