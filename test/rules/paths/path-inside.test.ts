import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { isInside, normalPath, resolveFrom } from '../../../src/rules/paths/path-inside.ts'

const segment = fc.constantFrom('a', 'b', 'a-evil', '..', '.', '', 'A')
const path = fc.array(segment, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`)

describe('normalPath', () => {
  test.each([
    ['/', '/'],
    ['//', '/'],
    ['/a//b/', '/a/b'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/../..', '/'],
    ['/a/...', '/a/...'],
  ])('%s is %s', (given, normal) => {
    expect(normalPath(given)).toBe(normal)
  })
})

describe('isInside', () => {
  test.each([
    ['/repo', '/repo', true],
    ['/repo', '/repo/', true],
    ['/repo/', '/repo/a', true],
    ['/repo', '/repo-evil', false],
    ['/repo', '/repo/../etc', false],
    ['/repo', '/repo/a/../../repo/b', true],
    ['/repo/a', '/repo', false],
    ['/', '/anything', true],
    ['/repo', 'work/a', false],
    ['work', '/repo/a', false],
    ['/repo', '', false],
  ])('%s holds %s: %s', (dir, target, inside) => {
    expect(isInside(dir, target)).toBe(inside)
  })

  prop.prop([path, path])('holds exactly what has its segments as a prefix', (dir, target) => {
    const base = normalPath(dir).split('/').filter(Boolean)
    const parts = normalPath(target).split('/').filter(Boolean)
    expect(isInside(dir, target)).toBe(base.every((name, i) => parts[i] === name))
  })

  prop.prop([path, path, path])('is transitive', (a, b, c) => {
    if (isInside(a, b) && isInside(b, c)) expect(isInside(a, c)).toBe(true)
  })
})

describe('resolveFrom', () => {
  test.each([
    ['a.txt', '/repo/a.txt'],
    ['./a.txt', '/repo/a.txt'],
    ['../a.txt', '/a.txt'],
    ['', '/repo'],
    ['.', '/repo'],
    ['~', '/home/ann'],
    ['~/', '/home/ann'],
    ['~/x/../y', '/home/ann/y'],
    ['~bob/x', '/repo/~bob/x'],
    ['a~/x', '/repo/a~/x'],
    ['/etc/./passwd', '/etc/passwd'],
  ])('%j is %s', (given, absolute) => {
    expect(resolveFrom('/repo', '/home/ann', given)).toBe(absolute)
  })
})
