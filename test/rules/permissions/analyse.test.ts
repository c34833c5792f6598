import { describe, expect, test } from 'vitest'
import { kindRules } from '../../../src/rules/permissions/saved-rules.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'

const of = (tool: string, input: unknown) => analyse({ tool, input, cwd: '/repo', home: '/home/ann' })

describe('analyse', () => {
  test.each([
    ['Read', { file_path: 'a' }, 'read', [['/repo/a', 'read']]],
    ['Write', { file_path: '~/a' }, 'edit', [['/home/ann/a', 'edit']]],
    ['Edit', { file_path: '/x/../y' }, 'edit', [['/y', 'edit']]],
    ['MultiEdit', { file_path: 'a' }, 'edit', [['/repo/a', 'edit']]],
    ['NotebookEdit', { notebook_path: 'a' }, 'edit', [['/repo/a', 'edit']]],
    ['NotebookRead', { notebook_path: 'a' }, 'read', [['/repo/a', 'read']]],
    ['Grep', { pattern: '/x/' }, 'read', [['/repo', 'read']]],
    ['Grep', { pattern: 'x', path: 'src' }, 'read', [['/repo/src', 'read']]],
    ['LS', {}, 'read', [['/repo', 'read']]],
    ['Glob', { pattern: '**/*.ts' }, 'read', [['/repo', 'read']]],
    [
      'Glob',
      { pattern: 'a/b*', path: 'src' },
      'read',
      [
        ['/repo/src', 'read'],
        ['/repo/src/a', 'read'],
      ],
    ],
    [
      'Glob',
      { pattern: 'a*' },
      'read',
      [
        ['/repo', 'read'],
        ['/repo', 'read'],
      ],
    ],
    ['TodoWrite', {}, 'none', []],
    ['Delegate', {}, 'team', []],
    ['TaskDone', {}, 'team', []],
    ['WebFetch', { url: 'https://a.test' }, 'network', []],
    ['mcp__x__y', { file_path: 'a' }, 'execute', []],
  ])('%s %j', (tool, input, kind, paths) => {
    const action = of(tool, input)
    expect(action.kind).toBe(kind)
    expect(action.paths.map(({ path, access }) => [path, access])).toEqual(paths)
    expect(action.paths.every((path) => path.of === 'tool')).toBe(true)
    expect(action.unparsable).toBeUndefined()
  })

  test.each([
    ['git blame HEAD~1 -- a', false],
    ['git --git-dir=../.git blame HEAD~1 -- a', true],
    ['git --git-dir ../.git annotate HEAD~1 a', true],
    ['GIT_DIR=../.git git blame HEAD~1 -- a', true],
  ])('%s may show any file of a history: %s', (command, any) => {
    expect(of('Bash', { command }).paths.some(({ below }) => below?.history === true)).toBe(any)
  })

  test('a shell line shows commands, the directories they may run in, paths and hosts', () => {
    const action = of('Bash', { command: 'cd src && grep x a > out; curl https://A.test/y' })
    expect(action.kind).toBe('execute')
    expect(action.commands.map((command) => command.directories)).toEqual([
      ['/repo'],
      ['/repo/src'],
      ['/repo', '/repo/src'],
    ])
    expect(action.hosts).toEqual(['a.test'])
    expect(
      action.paths.filter((path) => path.of === 'redirect').map(({ path, access, command }) => [path, access, command]),
    ).toEqual([['/repo/src/out', 'edit', 1]])
    expect(action.paths.filter((path) => path.loose === true).map(({ path }) => path)).toEqual(['/repo/src/x'])
  })

  test('after a cd to who knows where, a relative path may be the one here', () => {
    const action = of('Bash', { command: 'cd $x; cat a /etc/b; pushd; popd; cat c' })
    expect(action.commands.map((command) => command.directories)).toEqual([['/repo'], null, null, null, null])
    expect(action.paths.map(({ path }) => path)).toEqual(['/repo/a', '/etc/b', '/repo/c'])
    expect(of('Bash', { command: 'popd; echo > f' }).unparsable).toBe('a redirect follows a cd to an unknown directory')
  })

  test('so many directories that nobody can tell', () => {
    const line = Array.from({ length: 6 }, (_, i) => `cd d${i}`).join(';')
    const last = of('Bash', { command: `${line}; ls` }).commands.at(-1)
    expect(last?.directories).toBeNull()
    const fewer = of('Bash', { command: `${line.split(';').slice(1).join(';')}; ls` }).commands.at(-1)
    expect(fewer?.directories).toHaveLength(32)
  })

  test.each([
    ['cd', ['/repo', '/home/ann']],
    ['cd ~/x', ['/repo', '/home/ann/x']],
    ['cd -P /a', ['/repo', '/a']],
    ['cd -- a', ['/repo', '/repo/a']],
    ['pushd a', ['/repo', '/repo/a']],
    ['command cd a', ['/repo', '/repo/a']],
    ['cd a*', null],
    ['cd -', null],
    ['pushd +1', null],
    ['while x; do cd /a; done', ['/repo', '/a']],
    ['while x; do cd a; done', null],
    ['ls a', ['/repo']],
  ])('after %s: %j', (command, directories) => {
    expect(of('Bash', { command: `${command}; ls` }).commands.at(-1)?.directories).toEqual(directories)
  })
})

describe('kindRules', () => {
  test.each([
    ['Bash', { command: 'npm run build:prod -- x' }, ['Bash(npm run build:prod:*)']],
    ['Bash', { command: 'npm test -- x' }, ['Bash(npm test:*)']],
    ['Bash', { command: 'ls -la' }, ['Bash(ls -la)']],
    ['Bash', { command: 'make' }, ['Bash(make)']],
    ['Bash', { command: 'timeout 5 git push' }, ['Bash(timeout 5 git push)']],
    ['Bash', { command: 'env npm test' }, ['Bash(env npm test)', 'Bash(npm test:*)']],
    ['Bash', { command: 'A=1 npm test' }, ['Bash(A=1 npm test)']],
    ['Bash', { command: 'a && b' }, ['Bash(a)', 'Bash(b)']],
    ['Bash', { command: 'a > b' }, ['Bash(a)', 'Edit(/b)']],
    ['Bash', { command: 'a "' }, null],
    ['Edit', { file_path: 'src/a' }, ['Edit(/src/a)']],
    ['Write', { file_path: '/etc/a' }, ['Edit(//etc/a)']],
    ['Read', { file_path: '~/a' }, ['Read(//home/ann/a)']],
    ['LS', {}, ['Read(//repo)']],
    ['WebFetch', { url: 'https://a.test' }, ['WebFetch(domain:a.test)']],
    ['mcp__x__y', {}, ['mcp__x__y']],
  ])('%s %j: %s', (tool, input, rule) => {
    expect(kindRules(of(tool, input), '/repo')).toEqual(rule)
  })
})
