import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolvePaths } from '../../../src/adapters/fs/resolve-paths.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'

test('every path of an action is told where it really leads; nothing else changes', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-fs-')))
  try {
    mkdirSync(join(dir, 'real'))
    symlinkSync('real', join(dir, 'link'))
    const action = analyse({ tool: 'Read', input: { file_path: 'link/a.txt' }, cwd: dir, home: '/home/ann' })
    const resolved = resolvePaths(action)
    expect(resolved.paths.map((entry) => entry.resolved)).toEqual([join(dir, 'real', 'a.txt')])
    expect({ ...resolved, paths: [] }).toEqual({ ...action, paths: [] })
    expect(resolved.paths[0]?.path).toBe(join(dir, 'link', 'a.txt'))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
