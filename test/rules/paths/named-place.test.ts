import { expect, test } from 'vitest'
import { detours, placeNamed } from '../../../src/rules/paths/named-place.ts'

test.for([
  ['gitdir: ../main/.git/worktrees/a\n', 'gitdir: ', '../main/.git/worktrees/a'],
  ['gitdir: /a b', 'gitdir: ', '/a b'],
  ['../..\n', '', '../..'],
  ['nothing', 'gitdir: ', undefined],
  ['gitdir: \n', 'gitdir: ', null],
  ['gitdir: a\n\n', 'gitdir: ', null],
  ['gitdir: a\r\n', 'gitdir: ', null],
  ['gitdir: a\0b', 'gitdir: ', null],
  ['gitdir: a/../b', 'gitdir: ', null],
  ['gitdir: /proc/self/cwd/b', 'gitdir: ', null],
] as const)('the text %j names a place', ([text, start, place]) => {
  expect(placeNamed(text, start)).toBe(place)
})

test.for([
  ['../../a', false],
  ['a/b', false],
  ['..', false],
  ['./../a', false],
  ['a..b/c', false],
  ['a/..', true],
  ['a/./..', true],
  ['a//../b', true],
  ['../a/../b', true],
  ['.a/../b', true],
  ['..a/../b', true],
  ['.../../b', true],
  ['/proc/self/root', true],
  ['/dev/fd/3', true],
  ['/a/../b', true],
  ['...', false],
  ['.../..', true],
] as const)('%s takes a detour: %s', ([path, expected]) => {
  expect(detours(path)).toBe(expected)
})

test('a text that is longer than any path is refused, not weighed', () => {
  expect([detours('../'.repeat(1_365)), detours('a'.repeat(4_097))]).toEqual([false, true])
  expect(placeNamed(`gitdir: ${'a'.repeat(1 << 20)}`, 'gitdir: ')).toBeNull()
})
