import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { isInside, normalPath, resolveFrom, pathPattern } from '../../../src/rules/paths/path-inside.ts'

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

const places = { cwd: '/repo/app', home: '/home/ann', root: '/repo' }
const permits = (pattern: string, path: string) => pathPattern(pattern, false).matches(path, places)
const forbids = (pattern: string, path: string) => pathPattern(pattern, true).matches(path, places)

describe('pathPattern', () => {
  test.each([
    ['//etc/hosts', '/etc/hosts', true],
    ['//etc/**', '/etc/a/b', true],
    ['//**', '/anything', true],
    ['~/notes/*.md', '/home/ann/notes/a.md', true],
    ['~/notes/*.md', '/home/ann/notes/x/a.md', false],
    ['/src/**', '/repo/src/a.ts', true],
    ['/src/**', '/repo/app/src/a.ts', false],
    ['./src/**', '/repo/app/src/a.ts', true],
    ['./src/**', '/repo/src/a.ts', false],
    ['../lib/*', '/repo/lib/a', true],
    ['../lib/*', '/repo/app/lib/a', false],
    ['src/**', '/repo/app/src/a.ts', true],
    ['src/**', '/repo/app/x/src/a.ts', false],
    ['**/src/**', '/repo/app/x/src/a.ts', true],
    ['*.md', '/repo/app/x/a.md', true],
    ['*.md', '/repo/a.md', false],
    ['src', '/repo/app/src/deep/a', true],
    ['#a', '/repo/app/#a', true],
    ['./a', '/repo/app/a', true],
    ['./a', '/repo/app/x/a', false],
    ['a.ts', '/repo/app/A.ts', false],
    ['**', '/repo/app', true],
    ['src', '/repo/app', false],
    ['./**', '/repo/app-evil/x', false],
  ])('as a permission %s matches %s: %s', (pattern, path, matches) => {
    expect(permits(pattern, path)).toBe(matches)
  })

  test.each([
    ['.env', '/repo/.env', true],
    ['.env', '/repo/app/deep/.env', true],
    ['.env', '/repo/app/.ENV', true],
    ['.env', '/elsewhere/.env', false],
    ['secrets/**', '/repo/app/secrets/a', true],
    ['secrets/**', '/repo/x/y/secrets/a', true],
    ['secrets/**', '/repo/secrets', true],
    ['/secrets/**', '/repo/secrets/a', true],
    ['/secrets/**', '/repo/app/secrets/a', false],
    ['docs/*.md', '/repo/docs/a.md', true],
    ['docs/*.md', '/repo/docs/x/a.md', false],
    ['build/', '/repo/build/x/y', true],
    ['build/', '/repo/build', true],
    ['./secrets/**', '/repo/app/secrets/a', true],
    ['./secrets/**', '/repo/secrets/a', false],
  ])('as a prohibition %s matches %s: %s', (pattern, path, matches) => {
    expect(forbids(pattern, path)).toBe(matches)
  })

  test('a working directory outside the project is its own start', () => {
    const apart = { ...places, cwd: '/tmp/x' }
    expect(pathPattern('.env', true).matches('/tmp/x/.env', apart)).toBe(true)
    expect(pathPattern('.env', true).matches('/repo/.env', apart)).toBe(false)
  })

  test.each([
    ['.env', '/repo/.en[v]', true],
    ['.env', '/repo/.e*', true],
    ['.env', '/repo/*', false],
    ['.env', '/elsewhere/.en[v]', false],
    ['/secrets/key', '/repo/secrets/k*', true],
    ['/secrets/key', '/repo/other/k*', false],
  ])('%s may be what the glob %s stands for: %s', (pattern, glob, may) => {
    expect(pathPattern(pattern, true).mayMatch(glob, places)).toBe(may)
  })
})
