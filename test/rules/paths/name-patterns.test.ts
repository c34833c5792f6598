import { describe, expect, test } from 'vitest'
import { mayFit, plainPattern, surelyFits, takenWhole } from '../../../src/rules/paths/name-patterns.ts'

describe('a pattern without the sets of letters that nobody reads', () => {
  test.each([
    ['*.ts', '*.ts'],
    ['a[bc]/[!x]*.ts', 'a[bc]/[!x]*.ts'],
    ['.[[:alpha:]]nv', '.[[:alpha:]]nv'],
    ['a/.[[=e=]]nv', 'a/.*'],
    ['.[[.e.]]nv/x', '.*/x'],
    ['.[[:nope:]e]nv', '.*'],
    ['\\[[=e=]]', '\\[[=e=]]'],
    ['\\[[[=e=]]', '\\[*'],
    [`a${'[b'.repeat(20)}]`, 'a*'],
  ])('%s is %s', (pattern, plain) => {
    expect(plainPattern(pattern)).toBe(plain)
  })

  test('may stand for a name that only the shell finds, and for none to pass over', () => {
    expect(mayFit('.env', '.[[=e=]]nv', { dot: true })).toBe(true)
    expect(surelyFits('.env', '.[[=e=]]nv', { dot: true })).toBe(false)
    expect(surelyFits('.env', '.[e]nv', { dot: true })).toBe(true)
  })
})

describe('the directory of which a pattern takes all', () => {
  test.each([
    ['/home/me/*', '/home/me'],
    ['/home/me/.*', '/home/me'],
    ['/*', '/'],
    ['/home/me/a*', undefined],
    ['/home/me', undefined],
  ])('%s takes all of %s', (pattern, directory) => expect(takenWhole(pattern)).toBe(directory))
})
