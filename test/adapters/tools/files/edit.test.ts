import { fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { edit } from '../../../../src/adapters/tools/files/edit.ts'
import { nearestLine, replaceText } from '../../../../src/adapters/tools/files/edit-text.ts'
import { read } from '../../../../src/adapters/tools/files/read.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const change = (old_string: string, new_string: string, more: { replace_all?: boolean } = {}) =>
  shop.call(edit, { file_path: 'a.txt', old_string, new_string, ...more })

describe('Edit', () => {
  test('replaces the one occurrence and says where', async () => {
    await shop.known('a.txt', 'one\ntwo\nthree\n')
    expect(await change('two\nth', '2\nTH')).toEqual({
      text: `Edited ${shop.path('a.txt')}: 1 replacement, line 2.`,
      isError: false,
    })
    expect(shop.read('a.txt')).toBe('one\n2\nTHree\n')
  })

  test('takes the new text literally', async () => {
    await shop.known('a.txt', 'price')
    await change('price', '$& $1 \\n')
    expect(shop.read('a.txt')).toBe('$& $1 \\n')
  })

  test('an ambiguous text changes nothing unless all are meant', async () => {
    await shop.known('a.txt', 'x\ny\nx x\n')
    const refused = await change('x', 'z')
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('occurs 3 times') as string })
    expect(refused.text).toContain('lines 1, 3, 3')
    expect(shop.read('a.txt')).toBe('x\ny\nx x\n')
    expect((await change('x', 'z', { replace_all: true })).text).toContain('3 replacements, lines 1, 3, 3')
    expect(shop.read('a.txt')).toBe('z\ny\nz z\n')
  })

  test('shows the nearest line when nothing matches', async () => {
    await shop.known('a.txt', 'function add(a, b) {\n  return a + b\n}\n')
    const spaces = await change('return  a + b', 'return b + a')
    expect(spaces.isError).toBe(true)
    expect(spaces.text).toContain(
      'Line 2 (the difference is in the white space or in the lines around it):\n  return a + b',
    )
    const near = await change('return a - b', 'return b + a')
    expect(near.text).toContain('Line 2 (the nearest line):\n  return a + b')
    expect((await change('something entirely different', '')).text).toContain('nor anything like it')
  })

  test('keeps Windows line ends and the byte order mark', async () => {
    await shop.known('a.txt', '\uFEFFone\r\ntwo\r\nthree\r\n')
    await change('one\ntwo', 'eins\nzwei\ndrei')
    expect(shop.read('a.txt')).toBe('\uFEFFeins\r\nzwei\r\ndrei\r\nthree\r\n')
    await change('three', 'vier\nfünf')
    expect(shop.read('a.txt')).toBe('\uFEFFeins\r\nzwei\r\ndrei\r\nvier\r\nfünf\r\n')
  })

  test('finds lines that were copied with the numbers that Read shows', async () => {
    await shop.known('a.txt', 'one\n\n  three\nfour\n')
    const shown = (await shop.call(read, { file_path: 'a.txt', offset: 2, limit: 2 })).text.split('\n').slice(0, 2)
    const edited = await change(shown.join('\n'), `${shown.join('\n')} and a half\n  three and more`)
    expect(edited.text).toBe(`Edited ${shop.path('a.txt')}: 1 replacement, line 2.`)
    expect(shop.read('a.txt')).toBe('one\n\n  three and a half\n  three and more\nfour\n')
    expect(await change('     1\tone', '     1\tone')).toMatchObject({ isError: true })
    expect((await change('     9\tnine', 'x')).text).toContain('was not found')
  })

  test('takes numbers that stand in the file for what they are', async () => {
    await shop.known('a.txt', '1\tone\n2\ttwo\n')
    await change('2\ttwo', '2\tdeux')
    expect(shop.read('a.txt')).toBe('1\tone\n2\tdeux\n')
  })

  test('refuses what cannot be edited', async () => {
    expect((await change('a', 'b')).text).toBe(`${shop.path('a.txt')} does not exist. To create it use Write.`)
    await shop.known('a.txt', Buffer.from([0x61, 0xff, 0x62]))
    expect((await change('a', 'b')).text).toContain('not valid UTF-8')
    expect((await change('a', 'a')).text).toContain('nothing to change')
    expect((await change('', 'b')).text).toContain('old_string')
  })
})

describe('replaceText', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 40 })

  test('an edit and its reverse give the file back, and only the place changes', () => {
    const mark = fc.constantFrom('<here>', '<here>\n<there>')
    fc.assert(
      fc.property(words, words, mark, (before, after, old) => {
        const file = before + old + after
        const there = replaceText(file, { old, next: '<new>', all: false })
        expect(there).toEqual({ text: `${before}<new>${after}`, lines: [before.split('\n').length] })
        expect(replaceText(there.text ?? '', { old: '<new>', next: old, all: false }).text).toBe(file)
      }),
    )
  })

  test('replacing all is the same as splitting and joining', () => {
    fc.assert(
      fc.property(words, (file) => {
        const { text, lines } = replaceText(file, { old: 'a', next: 'c', all: true })
        expect([text, lines.length]).toEqual(
          file.includes('a') ? [file.replaceAll('a', 'c'), file.split('a').length - 1] : [null, 0],
        )
      }),
    )
  })
})

describe('nearestLine', () => {
  test('prefers the line with the same words to a nearer beginning', () => {
    expect(nearestLine('foo(1, 2)\n\tfoo( 1,  2)\n', 'foo( 1, 2)')).toEqual({
      number: 2,
      text: '\tfoo( 1,  2)',
      sameWords: true,
    })
  })

  test('looks for the longest line of the wanted text', () => {
    expect(nearestLine('}\nconst answer = 42\n}\n', '{\nconst answer = 43\n{')?.number).toBe(2)
  })

  test('blank text is near nothing', () => {
    expect(nearestLine('a\n\nb', '  \n ')).toBeNull()
  })
})
