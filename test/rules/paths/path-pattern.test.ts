import { describe, expect, test } from 'vitest'
import { pathPattern } from '../../../src/rules/paths/path-pattern.ts'

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
