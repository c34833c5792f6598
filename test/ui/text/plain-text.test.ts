import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { plainLine, plainText } from '../../../src/ui/text/plain-text.ts'

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
    ['\u001b\u001b[31m[31mred', '[31mred'],
  ])('%j → %j', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })
})
