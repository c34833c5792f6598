import { fc, test as property } from '@fast-check/vitest'
import { expect, test, describe } from 'vitest'
import { jsonText, plainLine, plainText, visibleText } from '../../../src/ui/text/plain-text.ts'
import { fitParts, fitWidth, padWidth, widthOf, wrapWidth } from '../../../src/ui/text/terminal-text.ts'
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
  [0, '0s'],
  [40, '40ms'],
  [1_234, '1.2s'],
  [9_940, '9.9s'],
  [9_960, '10s'],
  [59_400, '59s'],
  [59_600, '1m 0s'],
  [60_900, '1m 0s'],
  [92_000, '1m 32s'],
  [3_720_000, '1h 2m'],
  [90_000_000, '1d 1h'],
  [-5, '0s'],
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

/** Everything a terminal may obey, by code: written again here, so that the two lists check each other. */
function obeyed(code: number): boolean {
  const control = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  const reordering = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return (control && code !== 0x0a && code !== 0x09) || reordering || code === 0x2028 || code === 0x2029
}

const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]0;title\u0007',
        '\u009b31m',
        '\u001b',
        '\r\n',
        '\r',
        '\u001bP1q\u001b\\',
        '\u202e',
        '\ud800',
      ),
    ),
  )
  .map((parts) => parts.join(''))

describe('plain text', () => {
  property.prop([nasty])('never holds what a terminal obeys', (text) => {
    expect(Array.from(plainText(text)).filter((character) => obeyed(character.codePointAt(0) ?? 0))).toEqual([])
  })

  property.prop([nasty])('is well-formed and stays as it is when cleaned again', (text) => {
    expect(plainText(text).isWellFormed()).toBe(true)
    expect(plainText(plainText(text))).toBe(plainText(text))
  })

  property.prop([nasty])('on one line never breaks it', (text) => {
    expect(plainLine(text)).not.toMatch(/[\n\t\r]/)
  })

  test('leaves what people write alone', () => {
    const text = 'Zeile 1\n\tשלום 日本語 👩‍👩‍👧 é\n'
    expect(plainText(text)).toBe(text)
  })

  test.each([
    ['\u001b[2Jdone\r\n', 'done\n'],
    ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'link'],
    ['a\u0007b\bc', 'abc'],
    ['safe\u202Etxt.exe', 'safetxt.exe'],
    ['pass\u200bword\ufeff\u2060', 'password'],
    ['\u001b\u001b[31m[31mred', '[31mred'],
  ])('%j → %j', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })
})

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

const moving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const hostile = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\t', '\u001b', '\u009b', '\u009d', '\u202e', '日', '👩‍👩‍👧', '\u{e0041}'),
})

property.prop([hostile, hostile])(
  'a JSON document on a terminal is the same document, and nothing that it obeys',
  (key, text) => {
    for (const indent of [undefined, 2]) {
      const shown = jsonText({ [key]: [text] }, indent)
      expect(JSON.parse(shown)).toEqual({ [key]: [text] })
      expect(shown).not.toMatch(moving)
    }
  },
)

property.prop([hostile])('a text that is judged loses nothing, and moves no cursor', (text) => {
  const shown = visibleText(text)
  expect(shown).not.toMatch(moving)
  const written = (sign: string): string => JSON.parse(`"${sign}"`) as string
  expect(shown.replaceAll(/\\u[0-9a-f]{4}/g, written)).toBe(text)
})

test.each([
  [40, 'running · $0.04 · Ctrl+C leave · demo'],
  [36, 'running · $0.04 · Ctrl+C leave'],
  [29, 'running · $0.04'],
  [15, 'running · $0.04'],
  [5, 'runn…'],
])('of parts in %i columns none is cut to a few letters', (columns, expected) => {
  expect(fitParts(['running', '$0.04', 'Ctrl+C leave', 'demo'], columns)).toBe(expected)
})

test('the last part with room is cut where enough of it is left to read', () => {
  expect(fitParts(['ana', 'crashed: exit code 137 of the model'], 24)).toBe('ana · crashed: exit cod…')
})
