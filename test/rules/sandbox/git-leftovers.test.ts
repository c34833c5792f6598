import { describe, expect, test } from 'vitest'
import { detours, placeNamed, settingThatRuns, withoutPrograms } from '../../../src/rules/sandbox/git-leftovers.ts'

describe('settings of a repository', () => {
  test.for([
    [['core.bare', 'remote.origin.url', 'branch.a.b.merge', 'user.name', 'submodule.x.url'], undefined],
    [['core.bare', 'core.fsmonitor'], 'core.fsmonitor'],
    [['CORE.SSHCommand'], 'CORE.SSHCommand'],
    [['remote.o.uploadpack'], 'remote.o.uploadpack'],
    [['remote.o.promisor'], 'remote.o.promisor'],
    [['remote.x\ncore.bare'], 'remote.x\ncore.bare'],
    [['includeif.gitdir:**.path'], 'includeif.gitdir:**.path'],
    [['core.worktree'], 'core.worktree'],
    [['user.name.x'], 'user.name.x'],
  ] as const)('%j: %s may run something', ([keys, expected]) => {
    expect(settingThatRuns(keys)).toBe(expected)
  })
})

test.for([
  ['gitdir: ../main/.git/worktrees/a\n', 'gitdir: ', '../main/.git/worktrees/a'],
  ['gitdir: /a b', 'gitdir: ', '/a b'],
  ['../..\n', '', '../..'],
  ['nothing', 'gitdir: ', undefined],
  ['gitdir: \n', 'gitdir: ', null],
  ['gitdir: a\n\n', 'gitdir: ', null],
  ['gitdir: a\r\n', 'gitdir: ', null],
  ['gitdir: a\0b', 'gitdir: ', null],
  ['gitdir: a/../b', 'gitdir: ', null],
  ['gitdir: /proc/self/cwd/b', 'gitdir: ', null],
] as const)('the text %j names a place', ([text, start, place]) => {
  expect(placeNamed(text, start)).toBe(place)
})

test.for([
  ['../../a', false],
  ['a/b', false],
  ['..', false],
  ['./../a', false],
  ['a..b/c', false],
  ['a/..', true],
  ['a/./..', true],
  ['a//../b', true],
  ['../a/../b', true],
  ['.a/../b', true],
  ['..a/../b', true],
  ['.../../b', true],
  ['/proc/self/root', true],
  ['/dev/fd/3', true],
  ['/a/../b', true],
] as const)('%s takes a detour: %s', ([path, expected]) => {
  expect(detours(path)).toBe(expected)
})

test('a list of a rebase loses what runs', () => {
  expect(withoutPrograms('pick 1 a\nexec x\n\tx y\nexecute\nx\nfixup -C 2\n')).toBe('pick 1 a\nexecute\nfixup -C 2\n')
})
