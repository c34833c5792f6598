import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { widthOf } from '../../../src/ui/text/fit-width.ts'
import { wrapWidth } from '../../../src/ui/text/wrap-width.ts'

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two', 5, ['one', 'two']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['日本語です', 4, ['日本', '語で', 'す']],
  ['日本 語', 5, ['日本', '語']],
  ['ab👩‍👩‍👧cd', 4, ['ab👩‍👩‍👧', 'cd']],
  ['a\n\nb', 10, ['a', '', 'b']],
  ['\tx', 10, ['    x']],
  ['  x yyyy', 6, ['  x', 'yyyy']],
  ['', 10, ['']],
])('%j in %i columns is %j', (text, columns, lines) => {
  expect(wrapWidth(text, columns)).toEqual(lines)
})

const graphemes = new Intl.Segmenter()
/** Some characters are wider than the narrowest line. */
const examples: [string, number][] = [['\u{1d158}\u{1d165}\u{1d16e}', 2]]

property.prop([fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 40 })], { examples })(
  'no line is wider than it may be, and nothing but spaces is lost',
  (text, columns) => {
    const plain = text.replaceAll('\t', ' ')
    const lines = wrapWidth(plain, columns)
    const tooWide = lines.filter((line) => widthOf(line) > columns)
    // A character is never broken.
    expect(tooWide.filter((line) => [...graphemes.segment(line)].length > 1)).toEqual([])
    expect(lines.join('').replaceAll(' ', '')).toBe(plain.replaceAll(/[ \n]/g, ''))
  },
)

test('a megabyte on one line is broken', () => {
  expect(wrapWidth('x'.repeat(1_000_000), 100)).toHaveLength(10_000)
  expect(wrapWidth('日'.repeat(100_000), 100)).toHaveLength(2_000)
})
