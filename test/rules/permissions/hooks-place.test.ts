import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import type { DiskEntry } from '../../../src/rules/disk/disk.ts'

const directory = (name: string): DiskEntry => ({ name, kind: 'directory' })
const file = (name: string): DiskEntry => ({ name, kind: 'file' })
const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
  '/': [directory('repo')],
  '/repo': [directory('.git'), directory('tools'), file('a.ts')],
  '/repo/.git': [directory('objects'), directory('refs'), file('HEAD'), file('config')],
  '/repo/tools': [directory('hooks'), file('build.js')],
  '/repo/tools/hooks': [file('pre-commit')],
}

function verdict(tool: string, input: Readonly<Record<string, string>>, hooksPath: string) {
  const disk = Object.assign((path: string) => path, {
    entries: (path: string) => folders[path] ?? null,
    text: (path: string) => (path === '/repo/.git/config' ? `[core]\n\thooksPath = ${hooksPath}\n` : null),
  })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const policy = {
    mode: 'default' as const,
    rules: { user: { allow: ['Bash', 'Write'] } },
    bounds,
    directories: ['/repo'],
  }
  return decide(followPaths(analyse({ tool, input, cwd: '/repo', home: '/home/ann' }), disk), policy).behavior
}

describe('the directory that core.hooksPath names', () => {
  test.each([
    'touch tools/hooks/pre-push',
    'echo x > tools/hooks/pre-commit',
    'mytool tools/hooks/pre-commit',
    'rm -r tools/hooks',
  ])('holds hooks: %s', (command) => {
    expect(verdict('Bash', { command }, 'tools/hooks')).toBe('ask')
    expect(verdict('Bash', { command }, '"/repo/tools/hooks"')).toBe('ask')
    expect(verdict('Bash', { command }, '.husky/_')).toBe('allow')
  })

  test('is guarded from tools that write', () => {
    expect(verdict('Write', { file_path: '/repo/tools/hooks/pre-commit', content: '' }, 'tools/hooks')).toBe('ask')
    expect(verdict('Write', { file_path: '/repo/tools/build.js', content: '' }, 'tools/hooks')).toBe('allow')
  })

  test.each(['cat tools/hooks/pre-commit', 'bash tools/hooks/pre-commit', 'touch tools/x', 'touch a.ts'])(
    'leaves alone what changes no hook: %s',
    (command) => expect(verdict('Bash', { command }, 'tools/hooks')).toBe('allow'),
  )

  test('means no others where it is the project itself', () =>
    expect(verdict('Bash', { command: 'touch a.ts' }, '.')).toBe('allow'))
})
