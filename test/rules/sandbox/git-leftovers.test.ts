import { describe, expect, test } from 'vitest'
import {
  namesRemote,
  pathOfRemote,
  settingThatRuns,
  withoutPrograms,
} from '../../../src/rules/sandbox/git-leftovers.ts'

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

test('a list of a rebase loses what runs', () => {
  expect(withoutPrograms('pick 1 a\nexec x\n\tx y\nexecute\nx\nfixup -C 2\n')).toBe('pick 1 a\nexecute\nfixup -C 2\n')
})

test.for([
  ['https://git.example/a.git', undefined],
  ['git@git.example:a.git', undefined],
  ['ssh://git.example/~/a', undefined],
  ['/srv/a.git', '/srv/a.git'],
  ['../a', '../a'],
  ['./a:b', './a:b'],
  ['file:///srv/a.git', '/srv/a.git'],
  ['file://localhost/srv/a', '/srv/a'],
  ['file:///t%6dp/a', null],
  ['/t%6dp/a', '/t%6dp/a'],
  ['ext::sh -c x', null],
  ['~/a', null],
  ['/a/../b', null],
  ['/proc/self/cwd/a', null],
] as const)('the address %j leads to the path %j', ([address, path]) => {
  expect(pathOfRemote(address)).toBe(path)
})

test.for([
  ['remote.a.b.url', true],
  ['remote.o.pushurl', true],
  ['branch.main.remote', true],
  ['branch.main.pushRemote', true],
  ['submodule.x.url', true],
  ['remote.o.fetch', false],
  ['url.x.insteadof', false],
] as const)('the setting %s names another repository: %s', ([key, names]) => {
  expect(namesRemote(key)).toBe(names)
})
