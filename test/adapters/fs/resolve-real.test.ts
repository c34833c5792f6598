import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveReal } from '../../../src/adapters/fs/resolve-real.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'

let dir = ''
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-fs-')))
  mkdirSync(join(dir, 'real', 'deep'), { recursive: true })
  writeFileSync(join(dir, 'real', 'file'), '')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const at = (...parts: string[]): string => join(dir, ...parts)
const link = (target: string, name: string): void => symlinkSync(target, at(name))

test('a path without links stays as it is, whether it exists or not', () => {
  expect(resolveReal(at('real', 'file'))).toBe(at('real', 'file'))
  expect(resolveReal(at('real', 'new', 'deeper.txt'))).toBe(at('real', 'new', 'deeper.txt'))
  expect(resolveReal('/')).toBe('/')
})

test('a link in the existing part is followed and the rest is kept', () => {
  link('real', 'link')
  expect(resolveReal(at('link', 'file'))).toBe(at('real', 'file'))
  expect(resolveReal(at('link', 'new', 'deeper.txt'))).toBe(at('real', 'new', 'deeper.txt'))
})

test('a link that points to nothing yet leads to where writing through it would write', () => {
  link('/etc/no-such-file', 'absolute')
  link('real/no-such-file', 'relative')
  link('relative', 'second')
  expect(resolveReal(at('absolute'))).toBe('/etc/no-such-file')
  expect(resolveReal(at('relative'))).toBe(at('real', 'no-such-file'))
  expect(resolveReal(at('second'))).toBe(at('real', 'no-such-file'))
})

test('a link to nothing in the middle of a path is followed as well', () => {
  link('elsewhere', 'gone')
  expect(resolveReal(at('gone', 'below'))).toBe(at('elsewhere', 'below'))
})

test('below a file there is nothing to follow', () => {
  expect(resolveReal(at('real', 'file', 'below'))).toBe(at('real', 'file', 'below'))
})

test('a circle of links is refused, dangling or not', () => {
  link('two', 'one')
  link('one', 'two')
  expect(() => resolveReal(at('one'))).toThrow(/ELOOP|too many symbolic links/)
  expect(() => resolveReal(at('one', 'below'))).toThrow(/ELOOP|too many symbolic links/)
})

test('every path of an action is told where it really leads; nothing else changes', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-fs-')))
  try {
    mkdirSync(join(dir, 'real'))
    symlinkSync('real', join(dir, 'link'))
    const action = analyse({ tool: 'Read', input: { file_path: 'link/a.txt' }, cwd: dir, home: '/home/ann' })
    const resolved = followPaths(action, resolveReal)
    expect(resolved.paths.map((entry) => entry.resolved)).toEqual([join(dir, 'real', 'a.txt')])
    const { disk, ...rest } = resolved
    expect(disk?.(join(dir, 'link'))).toBe(join(dir, 'real'))
    expect({ ...rest, paths: [] }).toEqual({ ...action, paths: [] })
    expect(resolved.paths[0]?.path).toBe(join(dir, 'link', 'a.txt'))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('`..` behind a link leaves the directory that the link leads to, as in the kernel', () => {
  mkdirSync(at('project', 'deep'), { recursive: true })
  writeFileSync(at('secret'), 'outside')
  writeFileSync(at('project', 'deep', 'secret'), 'a decoy, for those who read the link as a text')
  link('..', 'project/deep/up')
  link('deep/up/../secret', 'project/read')
  link('deep/up/../new.txt', 'project/written')
  expect(resolveReal(at('project', 'read'))).toBe(at('secret'))
  expect(resolveReal(at('project', 'written'))).toBe(at('new.txt'))
  writeFileSync(at('project', 'written'), 'where it goes')
  expect(resolveReal(at('project', 'written'))).toBe(at('new.txt'))
})
