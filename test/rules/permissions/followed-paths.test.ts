import { expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import type { DiskEntry } from '../../../src/rules/disk/disk.ts'

/** The verdict on a line where a directory of notes holds files of these names, and `.env` may not be read. */
function verdict(command: string, names: readonly string[]): string {
  const file = (name: string): DiskEntry => ({ name, kind: 'file' })
  const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
    '/': [{ name: 'repo', kind: 'directory' }],
    '/repo': [{ name: 'notes', kind: 'directory' }, file('.env')],
    '/repo/notes': names.map(file),
  }
  const entries = (path: string): readonly DiskEntry[] | null => folders[path] ?? null
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' })
  const rules = { project: { allow: ['Bash'], deny: ['Read(.env)'] } }
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const real = Object.assign((path: string) => path, { entries })
  return decide(followPaths(action, real), { mode: 'default', rules, bounds, directories: ['/repo'] }).behavior
}

test.each([
  ['a name with a blank is two names', 'find notes | xargs cat', ['x .env'], 'ask'],
  ['the first part of a name may be that of a file', 'find notes | xargs cat', ['a', 'a b'], 'ask'],
  ['a part of a name may be an option', 'find notes | head -n 3 | xargs cat', ['x -rf'], 'ask'],
  ['quotes in a name hide other names', 'find notes | xargs cat', [`"x`], 'ask'],
  ['a name that ends with a NUL stays whole', 'find notes -print0 | xargs -0 cat', ['x .env'], 'allow'],
  ['find hands on whole names', 'find notes -exec cat {} +', ['x .env'], 'allow'],
  ['parts that are no files are none', 'find notes | xargs cat', ['my guide.md', 'b.md'], 'allow'],
] as const)('%s', (_that, command, names, expected) => expect(verdict(command, names)).toBe(expected))
