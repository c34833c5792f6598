import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { env } from 'node:process'
import { beforeEach, describe, expect, test } from 'vitest'
import { PatternError, type SearchBackend, type SearchQuery } from '../../../../src/adapters/tools/search/backend.ts'
import { findRipgrep } from '../../../../src/adapters/tools/search/open-search.ts'
import { globComplaint, globTest } from '../../../../src/adapters/tools/search/glob-pattern.ts'
import { inProcessBackend } from '../../../../src/adapters/tools/search/in-process.ts'
import { pageOfLines } from '../../../../src/adapters/tools/search/page.ts'
import { ripgrepBackend } from '../../../../src/adapters/tools/search/ripgrep.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const { signal } = new AbortController()
const ripgrep = await findRipgrep(env['PATH'])
if (ripgrep === null) console.warn('ripgrep is absent: only the search without it is tested')

const backends: readonly (readonly [string, SearchBackend])[] = [
  ['in this process', inProcessBackend],
  ...(ripgrep === null ? [] : [['with ripgrep', ripgrepBackend(ripgrep, { PATH: env['PATH'] ?? '' })] as const]),
]

const query = (more: Partial<SearchQuery>): SearchQuery => ({
  root: shop.dir,
  pattern: 'needle',
  ignoreCase: false,
  mode: 'content',
  wanted: () => true,
  ...more,
})

/** Rows as `path:line:text` with paths relative to the workshop. */
async function rowsOf(backend: SearchBackend, more: Partial<SearchQuery> = {}): Promise<readonly string[]> {
  const { rows } = await backend.search(query(more), signal)
  return rows.map((row) => (row.path + row.detail).replace(`${shop.dir}/`, ''))
}

async function filesOf(backend: SearchBackend, root = shop.dir): Promise<readonly string[]> {
  return (await backend.files(root, signal)).paths.map((path) => path.replace(`${shop.dir}/`, ''))
}

/** A repository with every kind of thing that a search may stumble over. */
function furnish(): void {
  shop.write('.git/HEAD', 'needle\n')
  shop.write('.gitignore', '*.log\n/build/\nsub/secret.txt\n!keep.log\n# needle\n')
  shop.write('a.txt', 'one\nneedle two\nthree needle\n')
  shop.write('B.txt', 'NEEDLE\n')
  shop.write('x.log', 'needle\n')
  shop.write('keep.log', 'needle\n')
  shop.write('build/out.txt', 'needle\n')
  shop.write('sub/build/in.txt', 'needle\n')
  shop.write('sub/secret.txt', 'needle\n')
  shop.write('sub/.gitignore', '*.txt\n!deep.txt\n')
  shop.write('sub/deep.txt', 'a needle\n')
  shop.write('sub/other.txt', 'needle\n')
  shop.write('.hidden/h.txt', 'needle\n')
  shop.write('binary.bin', Buffer.from('needle\0needle\n'))
  shop.write('late.bin', Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(100_000, 0x61), Buffer.from('\n\0\n')]))
  shop.write('windows.txt', 'needle\r\nno\r\n')
  shop.write('bom.txt', '\uFEFFneedle\n')
  shop.write('wide16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('needle\n', 'utf16le')]))
  shop.write('latin.txt', Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xe9, 0x0a]))
  shop.write('long.txt', `needle${'x'.repeat(2_000)}\n`)
  shop.write('odd\nname.txt', 'needle\n')
  shop.write('no-end.txt', 'needle')
  shop.write('nested/.git/HEAD', '')
  shop.write('nested/x.log', 'needle\n')
  symlinkSync('a.txt', shop.path('link.txt'))
  symlinkSync('sub', shop.path('link-dir'))
}

describe.each(backends)('a search %s', (_name, backend) => {
  beforeEach(furnish)

  test('finds lines where a reader would look for them', async () => {
    expect(await rowsOf(backend)).toEqual([
      '.gitignore:5:# needle',
      '.hidden/h.txt:1:needle',
      'a.txt:2:needle two',
      'a.txt:3:three needle',
      'bom.txt:1:needle',
      'keep.log:1:needle',
      'latin.txt:1:needle\uFFFD',
      `long.txt:1:needle${'x'.repeat(494)}…`,
      'nested/x.log:1:needle',
      'no-end.txt:1:needle',
      'odd\nname.txt:1:needle',
      'sub/deep.txt:1:a needle',
      'wide16.txt:1:needle',
      'windows.txt:1:needle',
    ])
  })

  test('lists the files of the same world', async () => {
    const files = await filesOf(backend)
    expect(files).toEqual(files.toSorted())
    const ignored = [
      'x.log',
      'build/out.txt',
      'sub/secret.txt',
      'sub/other.txt',
      'sub/build/in.txt',
      '.git/HEAD',
      'link.txt',
    ]
    expect(files.filter((file) => ignored.includes(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining(['sub/.gitignore', '.hidden/h.txt', 'binary.bin', 'nested/x.log', 'keep.log']),
    )
  })

  test('agrees with git about what is ignored', async () => {
    execFileSync('git', ['init', '-q', '.'], { cwd: shop.path('sub') })
    execFileSync('rm', ['-rf', '.git', 'nested/.git', 'sub/.git'], { cwd: shop.dir })
    execFileSync('git', ['init', '-q', '.'], { cwd: shop.dir })
    const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: shop.dir, encoding: 'utf8' })
    const links = ['link.txt', 'link-dir']
    expect(await filesOf(backend)).toEqual(
      listed
        .split('\0')
        .filter((file) => file && !links.includes(file))
        .toSorted(),
    )
  })

  test('names files, or counts lines', async () => {
    const wanted = (path: string) => /\/(a|B|windows)\.txt$/.test(path)
    expect(await rowsOf(backend, { mode: 'files_with_matches', wanted })).toEqual(['a.txt', 'windows.txt'])
    expect(await rowsOf(backend, { mode: 'count', wanted })).toEqual(['a.txt:2', 'windows.txt:1'])
    const counts = await rowsOf(backend, { mode: 'count' })
    expect(counts).toContain('odd\nname.txt:1')
    expect(counts.some((row) => row.startsWith('late.bin'))).toBe(false)
  })

  test('ignores case when asked, by flag or in the pattern', async () => {
    const wanted = (path: string) => path.endsWith('B.txt')
    expect(await rowsOf(backend, { wanted })).toEqual([])
    expect(await rowsOf(backend, { wanted, ignoreCase: true })).toEqual(['B.txt:1:NEEDLE'])
    expect(await rowsOf(backend, { wanted, pattern: '(?i)needle' })).toEqual(['B.txt:1:NEEDLE'])
  })

  test.each([
    ['^needle$', ['bom.txt:1:needle', 'windows.txt:1:needle']],
    ['needle\\s+\\w+', ['a.txt:2:needle two']],
    ['needle(?= two)', ['a.txt:2:needle two']],
    ['(three) needle', ['a.txt:3:three needle']],
    ['thr[^x]{2}', ['a.txt:3:three needle']],
    ['-needle|\\-\\-', []],
  ])('understands %s', async (pattern, rows) => {
    const wanted = (path: string) => /\/(a|bom|windows)\.txt$/.test(path)
    expect(await rowsOf(backend, { pattern, wanted })).toEqual(rows)
  })

  test('a glob on names only saves time', async () => {
    const wanted = globTest('*.{log,md}', shop.dir)
    expect(await rowsOf(backend, { wanted, nameGlob: '*.{log,md}' })).toEqual([
      'keep.log:1:needle',
      'nested/x.log:1:needle',
    ])
  })

  test('searches one file even if it is ignored, and below an ignored directory', async () => {
    expect(await rowsOf(backend, { root: shop.path('x.log') })).toEqual(['x.log:1:needle'])
    expect(await rowsOf(backend, { root: shop.path('build') })).toEqual(['build/out.txt:1:needle'])
    expect(await filesOf(backend, shop.path('sub'))).toEqual(['sub/.gitignore', 'sub/deep.txt'])
  })

  test('a pattern that is none is refused', async () => {
    for (const pattern of ['needle(', '[a', '*', 'a{2,1}']) {
      await expect(backend.search(query({ pattern }), signal)).rejects.toThrow(PatternError)
    }
  })

  test('keeps the first rows of too many, always the same ones', async () => {
    shop.write('many/a.txt', 'needle\n'.repeat(15_000))
    shop.write('many/b.txt', 'needle\n'.repeat(15_000))
    const result = await backend.search(query({ root: shop.path('many') }), signal)
    expect([result.rows.length, result.more]).toEqual([20_000, true])
    expect(result.rows.at(-1)).toMatchObject({ path: shop.path('many/b.txt'), line: 5_000 })
    const whole = await backend.search(query({ root: shop.path('many/a.txt') }), signal)
    expect([whole.rows.length, whole.more]).toEqual([15_000, false])
  })

  test('stops when it is told to', async () => {
    await expect(backend.search(query({}), AbortSignal.abort())).rejects.toThrow('abort')
    await expect(backend.files(shop.dir, AbortSignal.abort())).rejects.toThrow('abort')
  })

  test('outside a repository nothing is ignored', async () => {
    execFileSync('rm', ['-rf', '.git'], { cwd: shop.dir })
    expect(await rowsOf(backend, { root: shop.path('build') })).toEqual(['build/out.txt:1:needle'])
    expect(await filesOf(backend, shop.path('sub'))).toContain('sub/other.txt')
    expect(await rowsOf(backend)).toContain('x.log:1:needle')
  })
})

test('ripgrep is found in its package or on the search path, and may be absent', async () => {
  const found = await findRipgrep('')
  expect(found === null || existsSync(found)).toBe(true)
})

describe('globs', () => {
  test.each([
    ['*.ts', 'deep/er/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['./src/**/*.ts', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['**/*.{js,ts}', 'a.js', true],
    ['.*', 'sub/.hidden', true],
    ['*', 'sub/.hidden', true],
    ['[!a].ts', 'b.ts', true],
    ['[!a].ts', 'a.ts', false],
    ['!*.ts', 'a.ts', false],
    ['!*.ts', 'a.md', true],
    ['#a', '#a', true],
  ])('%s and %s: %s', (pattern, path, matches) => {
    expect(globTest(pattern, '/root')(`/root/${path}`)).toBe(matches)
  })

  test.each(['/etc/*', '~/x', '../*', 'a/../../b', '{a,..}/b', 'a/..'])('%s may leave the directory', (pattern) => {
    expect(globComplaint(pattern)).toContain('must stay below')
  })

  test.each(['*.ts', 'a..b', '..a', 'src/**', 'a/...'])('%s may not', (pattern) => {
    expect(globComplaint(pattern)).toBeNull()
  })
})

describe('pageOf', () => {
  const lines = ['a', 'b', 'c']
  test.each([
    [{ offset: 0, limit: 3 }, true, 'a\nb\nc'],
    [{ offset: 0, limit: 2 }, true, 'a\nb\n[1-2 of 3; more with offset=2]'],
    [{ offset: 2, limit: 2 }, true, 'c\n[3-3 of 3]'],
    [{ offset: 3, limit: 2 }, true, '[offset 3 is past the end: there are 3]'],
    [{ offset: 0, limit: 3 }, false, 'a\nb\nc\n[1-3 of more than 3]'],
  ])('%o', (page, whole, text) => {
    expect(pageOfLines(lines, page, whole)).toBe(text)
  })
})
