import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ls } from '../../../../src/adapters/tools/search/ls.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()

test('lists one directory, sorted, each kind of entry in its form', async () => {
  shop.write('b.txt', '')
  shop.write('.hidden', '')
  shop.write('sub/inner.txt', '')
  symlinkSync('sub', shop.path('a-link'))
  shop.write('two\nlines', '')
  const lines = [`${shop.dir}:`, '.hidden', 'a-link -> sub', 'b.txt', 'sub/', '"two\\nlines"']
  expect(await shop.call(ls, { path: '.' })).toEqual({ text: lines.join('\n'), isError: false })
})

test('says when it is empty, absent or not a directory', async () => {
  mkdirSync(shop.path('empty'))
  shop.write('file', '')
  expect((await shop.call(ls, { path: 'empty' })).text).toBe(`${shop.path('empty')} is empty.`)
  expect(await shop.call(ls, { path: 'gone' })).toEqual({ text: `${shop.path('gone')} does not exist.`, isError: true })
  expect(await shop.call(ls, { path: 'file' })).toEqual({
    text: `${shop.path('file')} is not a directory.`,
    isError: true,
  })
})

test('shows the first thousand entries and counts the rest', async () => {
  for (let index = 0; index < 1_001; index++) shop.write(`many/f${String(index).padStart(4, '0')}`, '')
  const lines = (await shop.call(ls, { path: 'many' })).text.split('\n')
  expect([lines.length, lines[1000], lines[1001]]).toEqual([1_002, 'f0999', '[1 more entry not shown]'])
})
