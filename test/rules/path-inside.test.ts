import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { isInside, normalPath, resolveFrom } from '../../src/rules/path-inside.ts'

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
    ['/work', '/work', true],
    ['/work', '/work/', true],
    ['/work/', '/work/a', true],
    ['/work', '/work-evil', false],
    ['/work', '/work/../etc', false],
    ['/work', '/work/a/../../work/b', true],
    ['/work/a', '/work', false],
    ['/', '/anything', true],
    ['/work', 'work/a', false],
    ['work', '/work/a', false],
    ['/work', '', false],
  ])('%s holds %s: %s', (dir, target, inside) => {
    expect(isInside(dir, target)).toBe(inside)
  })

  prop.prop([path, path], { seed: 1 })('holds exactly what has its segments as a prefix', (dir, target) => {
    const base = normalPath(dir).split('/').filter(Boolean)
    const parts = normalPath(target).split('/').filter(Boolean)
    expect(isInside(dir, target)).toBe(base.every((name, i) => parts[i] === name))
  })

  prop.prop([path, path, path], { seed: 1 })('is transitive', (a, b, c) => {
    if (isInside(a, b) && isInside(b, c)) expect(isInside(a, c)).toBe(true)
  })
})

describe('resolveFrom', () => {
  test.each([
    ['a.txt', '/work/a.txt'],
    ['./a.txt', '/work/a.txt'],
    ['../a.txt', '/a.txt'],
    ['', '/work'],
    ['.', '/work'],
    ['~', '/home/ann'],
    ['~/', '/home/ann'],
    ['~/x/../y', '/home/ann/y'],
    ['~bob/x', '/work/~bob/x'],
    ['a~/x', '/work/a~/x'],
    ['/etc/./passwd', '/etc/passwd'],
  ])('%j is %s', (given, absolute) => {
    expect(resolveFrom('/work', '/home/ann', given)).toBe(absolute)
  })
})
