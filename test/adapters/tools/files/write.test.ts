import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { write } from '../../../../src/adapters/tools/files/write.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()

test('creates, updates, and says when there was nothing to change', async () => {
  const path = shop.path('deep/er/a.txt')
  const put = async (content: string) => (await shop.call(write, { file_path: 'deep/er/a.txt', content })).text
  expect(await put('one\ntwo\n')).toBe(`Created ${path} (2 lines).`)
  expect(await put('one\n')).toBe(`Updated ${path} (1 line).`)
  const before = statSync(path).ino
  expect(await put('one\n')).toBe(`No change: ${path} already has this content.`)
  expect(statSync(path).ino).toBe(before)
  expect(shop.read('deep/er/a.txt')).toBe('one\n')
  expect(readdirSync(shop.path('deep/er'))).toEqual(['a.txt'])
})

test('an empty file is a file', async () => {
  expect((await shop.call(write, { file_path: 'empty', content: '' })).text).toBe(
    `Created ${shop.path('empty')} (0 lines).`,
  )
  expect(shop.read('empty')).toBe('')
})

test('keeps the permissions of the file and writes through a link', async () => {
  chmodSync(await shop.known('tool.sh', 'old'), 0o750)
  symlinkSync('tool.sh', shop.path('link'))
  await shop.call(write, { file_path: 'link', content: 'new' })
  expect(shop.read('tool.sh')).toBe('new')
  expect(lstatSync(shop.path('link')).isSymbolicLink()).toBe(true)
  expect(statSync(shop.path('tool.sh')).mode & 0o777).toBe(0o750)
})

test('may replace what is not text', async () => {
  await shop.known('latin.txt', Buffer.from([0xe9]))
  expect((await shop.call(write, { file_path: 'latin.txt', content: 'é' })).text).toMatch(/^Updated /)
  expect(shop.read('latin.txt')).toBe('é')
})

test('replaces neither directories nor pipes, and says what stands in the way', async () => {
  mkdirSync(shop.path('dir'))
  shop.pipe('pipe')
  shop.write('file', 'text')
  const put = (file_path: string) => shop.call(write, { file_path, content: 'x' })
  expect(await put('dir')).toEqual({ text: `${shop.path('dir')} is a directory; use LS.`, isError: true })
  expect(await put('pipe')).toEqual({ text: `${shop.path('pipe')} is not a regular file.`, isError: true })
  expect(await put('file/below')).toMatchObject({ isError: true })
  expect(shop.read('file')).toBe('text')
})

test('many writes at once leave one whole version', async () => {
  const versions = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(2_000))
  await Promise.all(versions.map((content) => shop.call(write, { file_path: 'a.txt', content })))
  expect(versions).toContain(shop.read('a.txt'))
})
