import { describe, expect, test } from 'vitest'
import type { PermissionMode, RuleLists } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import type { DiskEntry } from '../../../src/rules/disk/disk.ts'

const file = (name: string): DiskEntry => ({ name, kind: 'file' })
const directory = (name: string): DiskEntry => ({ name, kind: 'directory' })
const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
  '/': [directory('repo'), directory('usr')],
  '/usr/bin': ['ls', 'cat', 'grep', 'git', 'touch', 'timeout', 'rm', 'npm'].map(file),
  '/repo': [directory('bin'), directory('docs'), directory('.git'), file('a.txt'), file('cat'), file('evil.sh')],
  '/repo/bin': [
    file('ls'),
    file('echo'),
    file('grep'),
    file('git'),
    file('touch'),
    file('timeout'),
    directory('wc'),
    file('mine'),
  ],
  '/repo/docs': [file('tail')],
  '/tree': [],
}

interface Given {
  readonly searched: readonly string[]
  readonly mode?: PermissionMode
  readonly rules?: RuleLists
  readonly tool?: string
  readonly directories?: readonly string[]
}

function verdict(
  line: string,
  { searched, mode = 'acceptEdits', rules = {}, tool = 'Bash', directories = ['/repo'] }: Given,
) {
  const looked: string[] = []
  const entries = (path: string): readonly DiskEntry[] | null => {
    looked.push(path)
    return folders[path] ?? null
  }
  const input = tool === 'Bash' ? { command: line } : { file_path: line, content: 'x' }
  const [cwd = '/'] = directories
  const request = { tool, input, cwd, home: '/home/ann', searched }
  const bounds = { protected: [], scope: [], blockedHosts: [], ...(cwd === '/repo' ? {} : { sealed: ['/repo'] }) }
  const action = followPaths(
    analyse(request),
    Object.assign((path: string) => path, { entries }),
  )
  return { ...decide(action, { mode, rules: { user: rules }, bounds, directories }), looked }
}

describe.each([
  ['the own directory', ['/repo/bin', '/usr/bin']],
  ['a relative directory', ['bin', '/usr/bin']],
])('with %s first in the PATH', (_name, searched) => {
  test.each([
    'ls',
    'ls docs',
    'git log -3',
    'timeout 5 cat a.txt',
    'egrep x a.txt',
    'touch z',
    'ls | cat',
    'cat a.txt && ls',
  ])('a file of the project under the name of a program is asked about: %s', (line) =>
    expect([verdict(line, { searched }).behavior, verdict(line, { searched: ['/usr/bin'] }).behavior]).toEqual([
      'ask',
      'allow',
    ]),
  )

  test.each(['cat a.txt', 'echo hi', 'wc a.txt', 'cat < a.txt | tail', 'rm a.txt', 'printf x > z'])(
    'other names mean what they meant: %s',
    (line) => expect(verdict(line, { searched }).behavior).toBe('allow'),
  )

  test('the question names the file', () =>
    expect(verdict('ls -la', { searched }).reason).toContain('running ls -la, which the PATH finds at /repo/bin/ls'))

  test('a rule that names the program covers it', () =>
    expect(verdict('ls', { searched, rules: { allow: ['Bash(ls:*)'] } }).behavior).toBe('allow'))

  test.each(['plan', 'default'] as const)('in %s mode as well', (mode) =>
    expect(verdict('ls', { searched, mode }).behavior).not.toBe('allow'),
  )

  test.each([
    'cp evil.sh bin/cat',
    'mv evil.sh bin/npm',
    'touch bin/rm',
    'cat a.txt > bin/npm',
    'cp -r docs bin',
    'mv docs bin',
  ])('no new name is put in front of a program: %s', (line) => expect(verdict(line, { searched }).behavior).toBe('ask'))

  test('nor by the tool that writes', () => {
    expect(verdict('bin/npm', { searched, tool: 'Write' }).behavior).toBe('ask')
    expect(verdict('bin/npm', { searched, tool: 'Write' }).reason).toContain('says what commands do')
    expect(verdict('bin/mine', { searched, tool: 'Write' }).behavior).toBe('allow')
    expect(verdict('docs/npm', { searched, tool: 'Write' }).behavior).toBe('allow')
  })

  test.each(['cp evil.sh bin/mine', 'rm -r docs', 'mkdir -p bin', 'cp a.txt docs'])(
    'its own programs are edited like other files: %s',
    (line) => expect(verdict(line, { searched }).behavior).toBe('allow'),
  )
})

test('a program of the system in front is the one that runs', () => {
  const searched = ['/usr/bin', '/repo/bin']
  expect(verdict('ls', { searched }).behavior).toBe('allow')
  expect(verdict('touch bin/git', { searched }).behavior).toBe('allow')
})

test('the directory in which the shell is, where the PATH says so', () => {
  expect(verdict('cat a.txt', { searched: ['.', '/usr/bin'] }).behavior).toBe('ask')
  expect(verdict('cd docs && cat c.md', { searched: ['.', '/usr/bin'] }).behavior).toBe('allow')
  expect(verdict('cd docs && tail c.md', { searched: ['.', '/usr/bin'] }).behavior).toBe('ask')
  for (const entry of ['.', '..', '../..'])
    expect(verdict('cp evil.sh ./cat', { searched: [entry, '/usr/bin'] }).behavior).toBe('ask')
  expect(verdict('README.md', { searched: ['.', '/usr/bin'], tool: 'Write' }).behavior).toBe('allow')
})

test('the checkout around a worktree is one in which others write', () => {
  expect(verdict('ls', { searched: ['/repo/bin', '/usr/bin'], directories: ['/tree'] }).behavior).toBe('ask')
})

test('a PATH that leads elsewhere costs no look at the disk', () => {
  const searched = ['/usr/local/bin', '/usr/bin', '/home/ann/bin']
  const { looked, behavior } = verdict('echo hi; pwd; date', { searched })
  expect([behavior, looked]).toEqual(['allow', verdict('echo hi; pwd; date', { searched: [] }).looked])
})
