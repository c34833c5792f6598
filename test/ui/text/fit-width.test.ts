import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { fitWidth, padWidth, widthOf } from '../../../src/ui/text/fit-width.ts'
import { durationText, dollarsText, tokensText } from '../../../src/ui/text/figures.ts'
import { table } from '../../../src/ui/cli/text/table.ts'

const wide = fc.string({ unit: fc.constantFrom('a', ' ', '日', '한', '👩‍👩‍👧', '🇩🇪', 'é', '…', 'ﷺ') })

property.prop([wide, fc.nat(30)])('a fitted text never exceeds its columns', (text, columns) => {
  expect(widthOf(fitWidth(text, columns))).toBeLessThanOrEqual(columns)
})

property.prop([wide, fc.nat(30)])('a padded text has exactly its columns', (text, columns) => {
  expect(widthOf(padWidth(text, columns))).toBe(columns)
})

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 5, 'too …'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
  ['x', 0, ''],
])('%s in %i columns is %s', (text, columns, fitted) => {
  expect(fitWidth(text, columns)).toBe(fitted)
})

test.each([
  [0, '0.0s'],
  [1_234, '1.2s'],
  [59_400, '59s'],
  [92_000, '1m 32s'],
  [3_720_000, '1h 2m'],
  [90_000_000, '1d 1h'],
  [-5, '0.0s'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([
  [999, '999'],
  [12_345, '12.3k'],
  [99_999, '100k'],
  [999_960, '1.0M'],
  [2_500_000, '2.5M'],
])('%i tokens are %s', (tokens, text) => {
  expect(tokensText(tokens)).toBe(text)
})

test('dollars are finer below a cent', () => {
  expect([0, 0.0042, 0.5, 12].map(dollarsText)).toEqual(['$0.00', '$0.0042', '$0.50', '$12.00'])
})

test('a table has columns as wide as their widest cell, in safe text', () => {
  expect(
    table(
      ['A', 'B'],
      [
        ['日本', 'x\u001b[2J'],
        ['y', 'z\nq'],
      ],
    ),
  ).toBe('A     B\n日本  x\ny     z q\n')
})
