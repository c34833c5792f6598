import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { env } from 'node:process'
import { fc } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchBackend } from '../../src/adapters/tools/search/backend.ts'
import { findRipgrep } from '../../src/adapters/tools/search/open-search.ts'
import { globTest } from '../../src/adapters/tools/search/glob-pattern.ts'
import { inProcessBackend } from '../../src/adapters/tools/search/in-process.ts'
import { ripgrepBackend } from '../../src/adapters/tools/search/ripgrep.ts'

/** Real trees of other people's making; what find and grep say of them is the truth. */
const trees = ['node_modules/xstate', 'node_modules/undici', 'node_modules/yaml'].map((name) => resolve(name))
const { signal } = new AbortController()
const ripgrep = await findRipgrep(env['PATH'])
const backends: readonly (readonly [string, SearchBackend])[] = [
  ['in this process', inProcessBackend],
  ...(ripgrep === null ? [] : [['with ripgrep', ripgrepBackend(ripgrep, { PATH: env['PATH'] ?? '' })] as const]),
]

function said(program: string, args: readonly string[]): readonly string[] {
  try {
    const given = { encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe', env: { ...env, LC_ALL: 'C.UTF-8' } } as const
    return execFileSync(program, args, given)
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  } catch (error) {
    // grep ends with 1 when nothing matches.
    if (typeof error === 'object' && error !== null && 'status' in error && error.status === 1) return []
    throw error
  }
}

/** A clone of this very repository, with what a build and a person leave in it. */
const clone = join(realpathSync(mkdtempSync(join(tmpdir(), 'troupe-clone-'))), 'clone')
const hasRepository = existsSync('.git')
const git = (...words: readonly string[]): readonly string[] => said('git', ['-C', clone, ...words])

beforeAll(() => {
  if (!hasRepository) return
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${resolve('.')}`, clone], { stdio: 'pipe' })
  for (const [name, content] of [
    ['dist/built.js', 'export const built = await 1\n'],
    ['node_modules/some/index.js', 'class Some {}\n'],
    ['src/late.log', 'an error in a log\n'],
    ['src/rules/new-rule.ts', 'export class NewRule {}\n'],
    ['src/rules/.gitignore', '*.tmp.ts\n!kept.tmp.ts\n/deep/*/gone\n'],
    ['src/rules/a.tmp.ts', 'class Gone {}\n'],
    ['src/rules/kept.tmp.ts', 'class Kept {}\n'],
    ['src/rules/deep/x/gone', 'class Gone {}\n'],
    ['src/rules/deep/gone', 'class Deep {}\n'],
    ['.hidden/file.ts', 'class Hidden {}\n'],
  ] as const) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    writeFileSync(join(clone, name), content)
  }
})
afterAll(() => rmSync(dirname(clone), { recursive: true, force: true }))

describe.each(backends)('the search %s', (_name, backend) => {
  test.skipIf(!hasRepository)('finds the files of a repository as git does, its ignore files obeyed', async () => {
    const { paths } = await backend.files(clone, signal)
    const files = git('ls-files', '--cached', '--others', '--exclude-standard').map((name) => join(clone, name))
    expect(paths.toSorted()).toEqual(files.toSorted())
    for (const glob of ['*.md', 'src/**/*.ts', '**/rules/*.ts']) {
      const wanted = globTest(glob, clone)
      const found = git(
        'ls-files',
        '--cached',
        '--others',
        '--exclude-standard',
        '--',
        `:(glob)${glob.includes('/') ? glob : `**/${glob}`}`,
      )
      expect(paths.filter(wanted).toSorted()).toEqual(found.map((name) => join(clone, name)).toSorted())
    }
  })

  test.skipIf(!hasRepository).for(['class [A-Z]', '^import .* from', 'await', '§'])(
    'counts the lines in a repository as git grep does: %s',
    async (pattern) => {
      const query = { root: clone, pattern, ignoreCase: false, mode: 'count', wanted: () => true } as const
      const { rows } = await backend.search(query, signal)
      const counts = git('grep', '--untracked', '-I', '-c', '-E', '-e', pattern)
      expect(rows.map(({ path, detail }) => path + detail).toSorted()).toEqual(
        counts.map((line) => join(clone, line)).toSorted(),
      )
    },
  )

  test.for(trees)('finds the files that find finds in %s', async (root) => {
    const { paths } = await backend.files(root, signal)
    expect(paths.toSorted()).toEqual(said('find', [root, '-type', 'f']))
    for (const [glob, name] of [
      ['*.d.ts', '*.d.ts'],
      ['*.md', '*.md'],
      ['index.*', 'index.*'],
    ] as const) {
      expect(paths.filter(globTest(glob, root)).toSorted()).toEqual(said('find', [root, '-type', 'f', '-name', name]))
    }
  })

  test.for(trees)('counts and finds the lines that grep finds in %s', async (root) => {
    const word = fc.constantFrom('function', 'import', 'error', 'Buffer', 'null', 'TODO', 'class', 'await', 'x')
    const pattern = fc.oneof(
      word,
      fc.tuple(word, word).map(([a, b]) => `${a}.*${b}`),
      fc.tuple(word, word).map(([a, b]) => `^ *(${a}|${b}) `),
      word.map((a) => `${a}[0-9;]+$`),
    )
    await fc.assert(
      fc.asyncProperty(pattern, fc.boolean(), async (wanted, ignoreCase) => {
        const found = await backend.search(
          { root, pattern: wanted, ignoreCase, mode: 'count', wanted: () => true },
          signal,
        )
        const flags = ignoreCase ? ['-i'] : []
        const counts = said('grep', ['-rcE', '-I', ...flags, '-e', wanted, root]).filter((line) => !line.endsWith(':0'))
        expect(found.rows.map(({ path, detail }) => path + detail).toSorted()).toEqual(counts)
      }),
      { numRuns: 12 },
    )
  })

  test('shows the lines around a match as grep does', async () => {
    const root = resolve('node_modules/xstate/package.json')
    const around = { before: 1, after: 2 }
    const found = await backend.search(
      { root, pattern: '"(name|license)"', ignoreCase: false, mode: 'content', around, wanted: () => true },
      signal,
    )
    const lines = said('grep', ['-nE', '-B1', '-A2', '-e', '"(name|license)"', root]).filter((line) => line !== '--')
    expect(found.rows.map(({ detail }) => detail.slice(1)).toSorted()).toEqual(lines)
  })
})
