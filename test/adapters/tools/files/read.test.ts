import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { read } from '../../../../src/adapters/tools/files/read.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n')

test('shows lines with their numbers', async () => {
  shop.write('a.txt', 'one\n\nthree\n')
  expect(await shop.call(read, { file_path: 'a.txt' })).toEqual({
    text: '     1\tone\n     2\t\n     3\tthree',
    isError: false,
  })
})

test('the last line counts with and without a line end', async () => {
  shop.write('a.txt', 'one\ntwo')
  expect((await shop.call(read, { file_path: 'a.txt' })).text).toBe('     1\tone\n     2\ttwo')
})

test('absolute paths, the home directory and links lead to the file', async () => {
  const path = shop.write('home/b.txt', 'bee')
  symlinkSync(path, shop.path('link'))
  for (const file_path of [path, '~/b.txt', 'link', 'home/../home/b.txt']) {
    expect((await shop.call(read, { file_path })).text).toBe('     1\tbee')
  }
})

test('pages through a long file until its end', async () => {
  shop.write('long.txt', `${numbers(1, 4_500)}\n`)
  const first = (await shop.call(read, { file_path: 'long.txt' })).text.split('\n')
  expect(first.length).toBe(2_001)
  expect(first.at(-1)).toBe('[lines 1-2000 of 4,500; go on with offset=2001]')
  const last = (await shop.call(read, { file_path: 'long.txt', offset: 4_001 })).text.split('\n')
  expect([last[0], last.at(-2), last.at(-1)]).toEqual([
    '  4001\tline 4001',
    '  4500\tline 4500',
    '[lines 4001-4500, end of file]',
  ])
  const middle = (await shop.call(read, { file_path: 'long.txt', offset: 10, limit: 2 })).text
  expect(middle).toBe('    10\tline 10\n    11\tline 11\n[lines 10-11 of 4,500; go on with offset=12]')
})

test('a page ends exactly at the limit without promising more', async () => {
  shop.write('a.txt', numbers(1, 3))
  expect((await shop.call(read, { file_path: 'a.txt', limit: 3 })).text).not.toContain('[')
  expect((await shop.call(read, { file_path: 'a.txt', limit: 2 })).text).toContain(
    '[lines 1-2 of 3; go on with offset=3]',
  )
})

test('an offset past the end is an error that tells the length', async () => {
  shop.write('a.txt', numbers(1, 3))
  expect(await shop.call(read, { file_path: 'a.txt', offset: 4 })).toEqual({
    text: `offset 4 is past the end: ${shop.path('a.txt')} has 3 lines.`,
    isError: true,
  })
})

test('cuts long lines and long pages, and says where to go on', async () => {
  shop.write('wide.txt', `${'a'.repeat(5_000)}\nshort\n`)
  const [wide, short] = (await shop.call(read, { file_path: 'wide.txt' })).text.split('\n')
  expect(wide).toBe(`     1\t${'a'.repeat(2_000)}… [line cut: 3,000 more bytes]`)
  expect(short).toBe('     2\tshort')
  shop.write('many.txt', `${'b'.repeat(1_000)}\n`.repeat(100))
  const many = (await shop.call(read, { file_path: 'many.txt' })).text
  expect(many.length).toBeLessThan(62_000)
  expect(many).toContain('[lines 1-60 of 100; go on with offset=61]')
})

test('a cut line ends with a whole character', async () => {
  shop.write('wide.txt', `a${'🙂'.repeat(3_000)}\n`)
  const { text } = await shop.call(read, { file_path: 'wide.txt' })
  expect(text.isWellFormed()).toBe(true)
  expect(text).toContain('🙂… [line cut: ')
})

test('lines are the same wherever the chunks of the file end', async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `${index} ${'é'.repeat(index % 60)}`)
  shop.write('big.txt', lines.join('\r\n'))
  const { text } = await shop.call(read, { file_path: 'big.txt', offset: 20_000, limit: 500 })
  const shown = text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[1])
  expect(shown).toEqual(lines.slice(19_999, 20_499))
  expect(text).toContain('of 30,000;')
})

test('shows text without its byte order mark and survives bytes that are not UTF-8', async () => {
  shop.write('bom.txt', '\uFEFFone')
  expect((await shop.call(read, { file_path: 'bom.txt' })).text).toBe('     1\tone')
  shop.write('latin.txt', Buffer.from([0x63, 0xe9, 0x0a]))
  expect((await shop.call(read, { file_path: 'latin.txt' })).text).toBe('     1\tc\uFFFD')
})

test('names empty and binary files instead of showing them', async () => {
  shop.write('empty', '')
  shop.write('binary', Buffer.from([1, 2, 0, 3]))
  expect((await shop.call(read, { file_path: 'empty' })).text).toBe(`[empty file: ${shop.path('empty')}]`)
  expect((await shop.call(read, { file_path: 'binary' })).text).toBe(`[binary file, 4 bytes: ${shop.path('binary')}]`)
})

test('says what stands in the way, and never waits for a pipe or a device', async () => {
  mkdirSync(shop.path('dir'))
  shop.pipe('pipe')
  shop.write('a.txt', 'text')
  const wrong = async (file_path: string) => (await shop.call(read, { file_path })).text
  expect(await wrong('gone')).toBe(`${shop.path('gone')} does not exist.`)
  expect(await wrong('a.txt/below')).toContain('is a file, not a directory')
  expect(await wrong('dir')).toBe(`${shop.path('dir')} is a directory; use LS.`)
  expect(await wrong('pipe')).toBe(`${shop.path('pipe')} is not a regular file.`)
  expect(await wrong('/dev/zero')).toBe('/dev/zero is not a regular file.')
  expect((await shop.call(read, { file_path: 'gone' })).isError).toBe(true)
})
