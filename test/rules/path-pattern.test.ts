import { describe, expect, test } from 'vitest'
import { pathPattern } from '../../src/rules/path-pattern.ts'

const places = { cwd: '/work/app', home: '/home/ann', root: '/work' }
const permits = (pattern: string, path: string) => pathPattern(pattern, false).matches(path, places)
const forbids = (pattern: string, path: string) => pathPattern(pattern, true).matches(path, places)

describe('pathPattern', () => {
  test.each([
    ['//etc/hosts', '/etc/hosts', true],
    ['//etc/**', '/etc/a/b', true],
    ['//**', '/anything', true],
    ['~/notes/*.md', '/home/ann/notes/a.md', true],
    ['~/notes/*.md', '/home/ann/notes/x/a.md', false],
    ['/src/**', '/work/src/a.ts', true],
    ['/src/**', '/work/app/src/a.ts', false],
    ['./src/**', '/work/app/src/a.ts', true],
    ['./src/**', '/work/src/a.ts', false],
    ['../lib/*', '/work/lib/a', true],
    ['../lib/*', '/work/app/lib/a', false],
    ['src/**', '/work/app/src/a.ts', true],
    ['src/**', '/work/app/x/src/a.ts', false],
    ['**/src/**', '/work/app/x/src/a.ts', true],
    ['*.md', '/work/app/x/a.md', true],
    ['*.md', '/work/a.md', false],
    ['src', '/work/app/src/deep/a', true],
    ['#a', '/work/app/#a', true],
    ['./a', '/work/app/a', true],
    ['./a', '/work/app/x/a', false],
    ['a.ts', '/work/app/A.ts', false],
    ['**', '/work/app', true],
    ['src', '/work/app', false],
    ['./**', '/work/app-evil/x', false],
  ])('as a permission %s matches %s: %s', (pattern, path, matches) => {
    expect(permits(pattern, path)).toBe(matches)
  })

  test.each([
    ['.env', '/work/.env', true],
    ['.env', '/work/app/deep/.env', true],
    ['.env', '/work/app/.ENV', true],
    ['.env', '/elsewhere/.env', false],
    ['secrets/**', '/work/app/secrets/a', true],
    ['secrets/**', '/work/x/y/secrets/a', true],
    ['secrets/**', '/work/secrets', true],
    ['/secrets/**', '/work/secrets/a', true],
    ['/secrets/**', '/work/app/secrets/a', false],
    ['docs/*.md', '/work/docs/a.md', true],
    ['docs/*.md', '/work/docs/x/a.md', false],
    ['build/', '/work/build/x/y', true],
    ['build/', '/work/build', true],
    ['./secrets/**', '/work/app/secrets/a', true],
    ['./secrets/**', '/work/secrets/a', false],
  ])('as a prohibition %s matches %s: %s', (pattern, path, matches) => {
    expect(forbids(pattern, path)).toBe(matches)
  })

  test('a working directory outside the project is its own start', () => {
    const apart = { ...places, cwd: '/tmp/x' }
    expect(pathPattern('.env', true).matches('/tmp/x/.env', apart)).toBe(true)
    expect(pathPattern('.env', true).matches('/work/.env', apart)).toBe(false)
  })

  test.each([
    ['.env', '/work/.en[v]', true],
    ['.env', '/work/.e*', true],
    ['.env', '/work/*', false],
    ['.env', '/elsewhere/.en[v]', false],
    ['/secrets/key', '/work/secrets/k*', true],
    ['/secrets/key', '/work/other/k*', false],
  ])('%s may be what the glob %s stands for: %s', (pattern, glob, may) => {
    expect(pathPattern(pattern, true).mayMatch(glob, places)).toBe(may)
  })
})
