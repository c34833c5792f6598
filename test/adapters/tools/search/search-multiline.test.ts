import { env } from 'node:process'
import { fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { grep } from '../../../../src/adapters/tools/search/grep.ts'
import type { SearchBackend, SearchQuery } from '../../../../src/adapters/tools/search/backend.ts'
import { findRipgrep } from '../../../../src/adapters/tools/search/open-search.ts'
import { inProcessBackend } from '../../../../src/adapters/tools/search/in-process.ts'
import { ripgrepBackend } from '../../../../src/adapters/tools/search/ripgrep.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const { signal } = new AbortController()
const ripgrep = await findRipgrep(env['PATH'])
if (ripgrep === null) console.warn('ripgrep is absent: only the search without it is tested')
const withRipgrep = ripgrep === null ? null : ripgrepBackend(ripgrep, { PATH: env['PATH'] ?? '' })
const backends = [
  ['in this process', inProcessBackend],
  ...(withRipgrep === null ? [] : [['with ripgrep', withRipgrep] as const]),
] as readonly (readonly [string, SearchBackend])[]

const query = (more: Partial<SearchQuery>): SearchQuery => ({
  root: shop.dir,
  pattern: 'x',
  ignoreCase: false,
  mode: 'content',
  multiline: true,
  wanted: () => true,
  ...more,
})
const rowsOf = async (backend: SearchBackend, more: Partial<SearchQuery>): Promise<readonly string[]> =>
  (await backend.search(query(more), signal)).rows.map(({ path, detail }) => path.replace(`${shop.dir}/`, '') + detail)

describe.each(backends)('a match over several lines, %s', (_name, backend) => {
  test('shows each of its lines, and lines around it', async () => {
    shop.write('a.ts', 'zero\ncall({\n  one,\n})\nnext\nlast\n')
    const rows = await rowsOf(backend, { pattern: 'call\\(\\{.*?\\}\\)', around: { before: 1, after: 1 } })
    expect(rows).toEqual(['a.ts-1-zero', 'a.ts:2:call({', 'a.ts:3:  one,', 'a.ts:4:})', 'a.ts-5-next'])
  })

  test('counts every line that it touches, once', async () => {
    shop.write('a.txt', 'a\nb a\nb\nc\na\nb')
    expect(await rowsOf(backend, { pattern: 'a\\nb', mode: 'count' })).toEqual(['a.txt:5'])
    expect(await rowsOf(backend, { pattern: 'a\\nb', mode: 'files_with_matches' })).toEqual(['a.txt'])
    expect(await rowsOf(backend, { pattern: '^b', mode: 'count' })).toEqual(['a.txt:3'])
    expect(await rowsOf(backend, { pattern: 'nothing' })).toEqual([])
  })

  test('knows Windows line ends and anchors', async () => {
    shop.write('w.txt', 'one\r\ntwo\r\nthree\r\n')
    expect(await rowsOf(backend, { pattern: 'one$.*^two' })).toEqual(['w.txt:1:one', 'w.txt:2:two'])
  })
})

test.skipIf(withRipgrep === null)('both searches find the same in any text', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é'), maxLength: 40 })
  const pattern = fc.constantFrom(
    'a.b',
    'a\\nb',
    'a.*?b',
    '^a',
    'a$',
    'b\\n+a',
    '(?i)A[^b]*b',
    'é.',
    'ab|ba',
    '\\n\\n',
    'a\\s+b',
  )
  const mode = fc.constantFrom('content', 'count', 'files_with_matches')
  const around = fc.record({ before: fc.nat(2), after: fc.nat(2) })
  await fc.assert(
    fc.asyncProperty(text, pattern, mode, around, async (content, wanted, how, beside) => {
      shop.write('t.txt', content)
      const asked = { pattern: wanted, mode: how, around: beside } as const
      expect(await rowsOf(inProcessBackend, asked)).toEqual(await rowsOf(withRipgrep ?? inProcessBackend, asked))
    }),
    { numRuns: 150 },
  )
})

test('Grep takes multiline and a kind of file', async () => {
  for (const name of ['a.ts', 'b.tsx', 'c.py', 'sub/d.ts']) shop.write(name, 'if (x) {\n  y()\n}\n')
  const ask = async (more: object) => shop.call(grep, { pattern: '\\) \\{.*y', ...more })
  expect((await ask({ multiline: true, type: 'ts' })).text).toBe(
    ['a.ts', 'b.tsx', 'sub/d.ts'].map(shop.path).join('\n'),
  )
  expect((await ask({ multiline: true, type: 'ts', glob: 'sub/**' })).text).toBe(shop.path('sub/d.ts'))
  expect((await ask({ type: 'ts' })).text).toContain('No matches')
  expect((await ask({ multiline: true, type: 'py', output_mode: 'content' })).text).toBe(
    `${shop.path('c.py')}:1:if (x) {\n${shop.path('c.py')}:2:  y()`,
  )
  expect((await ask({ multiline: true, path: 'c.py', type: 'ts' })).text).toBe(shop.path('c.py'))
  expect(await ask({ type: 'typscript' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no file type') as string,
  })
})
