import { expect, test } from 'vitest'
import { glob } from '../../../../src/adapters/tools/search/glob.ts'
import { grep } from '../../../../src/adapters/tools/search/grep.ts'
import { ls } from '../../../../src/adapters/tools/search/ls.ts'
import { inProcessBackend } from '../../../../src/adapters/tools/search/in-process.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()

test('Glob answers with absolute paths, below path when given', async () => {
  const [a, b] = [shop.write('src/a.ts', ''), shop.write('test/b.ts', '')]
  expect((await shop.call(glob, { pattern: '*.ts' })).text).toBe(`${a}\n${b}`)
  expect((await shop.call(glob, { pattern: '*.ts', path: 'test' })).text).toBe(b)
  expect((await shop.call(glob, { pattern: '*.md' })).text).toBe(`No files match "*.md" below ${shop.dir}.`)
})

test('Glob shows a thousand paths and pages through the others', async () => {
  const paths = Array.from({ length: 1_001 }, (_, index) => shop.write(`f${index}.txt`, '')).toSorted()
  const ask = async (more: object) => (await shop.call(glob, { pattern: '*', ...more })).text.split('\n')
  expect(await ask({})).toEqual([...paths.slice(0, 1_000), '[1-1000 of 1,001; more with offset=1000]'])
  expect(await ask({ offset: 1_000 })).toEqual([paths[1_000], '[1001-1001 of 1,001]'])
  expect(await ask({ offset: 5, head_limit: 2 })).toEqual([paths[5], paths[6], '[6-7 of 1,001; more with offset=7]'])
  expect(await ask({ offset: 2_000 })).toEqual(['[offset 2000 is past the end: there are 1,001]'])
})

test('a pattern that leaves the directory is refused before anything is looked at', async () => {
  for (const pattern of ['/etc/*', '../*']) {
    expect(await shop.call(glob, { pattern })).toMatchObject({ isError: true })
    expect(await shop.call(grep, { pattern: 'root', glob: pattern })).toMatchObject({ isError: true })
  }
})

test('Grep names files, shows lines, or counts', async () => {
  const [a, b] = [shop.write('a.txt', 'x\nyy\nx\n'), shop.write('sub/b.md', 'Xx\n')]
  const ask = async (more: object) => (await shop.call(grep, { pattern: 'x', ...more })).text
  expect(await ask({})).toBe(`${a}\n${b}`)
  expect(await ask({ output_mode: 'content', glob: '*.txt' })).toBe(`${a}:1:x\n${a}:3:x`)
  expect(await ask({ output_mode: 'count' })).toBe(`${a}:2\n${b}:1`)
  expect(await ask({ output_mode: 'content', glob: 'sub/**', '-i': true })).toBe(`${b}:1:Xx`)
  expect(await ask({ output_mode: 'content', path: 'a.txt' })).toBe(`${a}:1:x\n${a}:3:x`)
  expect(await ask({ pattern: 'nothing' })).toBe(`No matches for "nothing" in ${shop.dir}.`)
})

test('Grep pages through its result', async () => {
  const path = shop.write('a.txt', Array.from({ length: 600 }, (_, index) => `x${index}`).join('\n'))
  const ask = async (more: object) => (await shop.call(grep, { pattern: 'x', output_mode: 'content', ...more })).text
  expect((await ask({})).split('\n').slice(-2)).toEqual([`${path}:250:x249`, '[1-250 of 600; more with offset=250]'])
  expect((await ask({ offset: 598, head_limit: 5 })).split('\n')).toEqual([
    `${path}:599:x598`,
    `${path}:600:x599`,
    '[599-600 of 600]',
  ])
})

test('wrong places and patterns are answered in words', async () => {
  shop.write('bin', Buffer.from([0, 1]))
  shop.write('file', '')
  expect(await shop.call(glob, { pattern: '*', path: 'gone' })).toEqual({
    text: `${shop.path('gone')} does not exist.`,
    isError: true,
  })
  expect((await shop.call(glob, { pattern: '*', path: 'file' })).text).toContain('is not a directory')
  expect(await shop.call(grep, { pattern: 'x', path: 'gone' })).toMatchObject({ isError: true })
  expect((await shop.call(grep, { pattern: 'x', path: 'bin' })).text).toContain('is a binary file')
  const wrong = await shop.call(grep, { pattern: 'a(' })
  expect(wrong).toMatchObject({ isError: true })
  expect(wrong.text).toMatch(/^"a\(" is not a regular expression: /)
})

test('what permission rules close is neither searched nor named, under any name of the directory', async () => {
  const open = shop.write('src/a.txt', 'key=1\n')
  shop.write('src/.env', 'key=2\n')
  const closed = (path: string) => path.endsWith('/.env')
  const context = shop.context({ closed })
  const note = '[files that permission rules close are left out]'
  const all = { pattern: 'key', output_mode: 'content' }
  expect((await shop.call(grep, all, context)).text).toBe(`${open}:1:key=1\n${note}`)
  expect((await shop.call(grep, { pattern: 'key=2' }, context)).text).not.toContain('.env')
  expect((await shop.call(glob, { pattern: '**' }, context)).text).toBe(`${open}\n${note}`)
  expect((await shop.call(ls, { path: 'src' }, context)).text).toBe(`${shop.path('src')}:\na.txt\n${note}`)
  const led = new Map([[shop.dir, '/elsewhere']])
  const elsewhere = shop.context({ led, closed: (path) => path === '/elsewhere/src/.env' })
  expect((await shop.call(glob, { pattern: '**' }, elsewhere)).text).toBe(`${open}\n${note}`)
})

test('and that holds without ripgrep as well', async () => {
  const open = shop.write('a.txt', 'key=1\n')
  shop.write('b.txt', 'key=2\n')
  const query = { root: shop.dir, pattern: 'key', ignoreCase: false, mode: 'content' } as const
  const wanted = (path: string) => path !== shop.path('b.txt')
  const { rows } = await inProcessBackend.search({ ...query, wanted }, new AbortController().signal)
  expect(rows.map(({ path }) => path)).toEqual([open])
})
