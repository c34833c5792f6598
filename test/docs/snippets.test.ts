import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingsSchema } from '../../src/protocol/permissions/settings.ts'
import { parseScript } from '../../src/adapters/models/scripted/script.ts'
import { checkTeamFile } from '../../src/runtime/team-files/load-team.ts'
import { documents, inLanguage, isTeam, snippets, snippetsOf, where } from './snippets.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(() => {
  bench = openWorkbench()
})
afterAll(() => bench.remove())

test('fences are found with their language, note and place', () => {
  const document = '# A\n\n```sh once\nls\n```\n\n```\nplain\n```\n'
  expect(snippetsOf('a.md', document)).toEqual([{ file: 'a.md', line: 3, language: 'sh', note: 'once', text: 'ls\n' }])
})

describe('teams in the documents load', () => {
  test.for(snippets.filter(isTeam).map((snippet) => [where(snippet), snippet] as const))('%s', async ([, snippet]) => {
    const file = join(bench.dir, `${where(snippet).replaceAll(/\W/g, '-')}.yaml`)
    writeFileSync(file, snippet.text)
    const { diagnostics } = await checkTeamFile(file, { cwd: bench.dir, env: {} })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('scripts of models are scripts', () => {
    const scripts = inLanguage('yaml').filter(({ text }) => /^agents:/m.test(text))
    expect(scripts.map((snippet) => parseScript(where(snippet), snippet.text))).not.toEqual([])
  })

  test('every other YAML block is YAML', () => {
    for (const { text } of inLanguage('yaml')) expect(parse(text)).toBeTruthy()
  })
})

describe('settings in the documents are settings', () => {
  const settings = inLanguage('json').filter(({ note }) => note === 'settings')
  test.for(settings.map((snippet) => [where(snippet), snippet] as const))('%s', ([, snippet]) => {
    expect(settingsSchema.safeParse(JSON.parse(snippet.text)).error).toBeUndefined()
  })
})

test('TypeScript in the documents is accepted by the type checker', async () => {
  const folder = join(bench.dir, 'snippets')
  mkdirSync(folder)
  const files = inLanguage('ts').map(({ text }, index) => {
    const file = join(folder, `snippet-${index}.ts`)
    writeFileSync(file, text)
    return file
  })
  const compilerOptions = {
    rootDir: '/',
    typeRoots: [resolve('node_modules/@types')],
    paths: {
      troupe: [resolve('src/index.ts')],
      'troupe/*': [resolve('src/*.ts')],
    },
  }
  const config = join(bench.dir, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include: [], files }))
  const compiler = 'node_modules/typescript-7/bin/tsc'
  const checked = await execa(process.execPath, [compiler, '-p', config], { all: true, reject: false })
  expect(checked.all).toBe('')
})

test('npm scripts that are named exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const named = inLanguage('sh').flatMap(({ text }) =>
    [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => match[1]),
  )
  expect(named.filter((name) => !(String(name) in scripts))).toEqual([])
})

test('the continuous run is the command that the README gives', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [long, last, ...before] = commands.toReversed()
  expect(long).toBe('npm run test:long')
  expect(
    inLanguage('sh')
      .filter(({ file }) => file === 'README.md')
      .map(({ text }) => text.trim()),
  ).toContain(last)
  expect(before.toReversed()).toEqual(['set -euo pipefail', expect.stringMatching(/^cd /)])
})

test('files that are named exist', () => {
  const missing = documents.flatMap((file) => {
    const named = [...readFileSync(file, 'utf8').matchAll(/`((?:src|machines|test|teams|docs)\/[\w./-]*)`/g)]
    return named
      .map((match) => match[1] ?? '')
      .filter((path) => !existsSync(path))
      .map((path) => `${file}: ${path}`)
  })
  expect(missing).toEqual([])
})

/** Links from one file to another, from the root of the repository; `from` is the document that has it. */
const links = documents.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => ({
    from,
    to: normalize(join(dirname(from), match[1] ?? '')),
  })),
)

test('links between documents lead somewhere', () => {
  expect(links.filter(({ to }) => !existsSync(to))).toEqual([])
})

test('links of documents that the package holds do not leave it', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] }
  const packed = ['README.md', 'LICENSE', ...files]
  const isPacked = (file: string): boolean => packed.some((part) => file === part || file.startsWith(`${part}/`))
  expect(links.filter(({ from, to }) => isPacked(from) && !isPacked(to))).toEqual([])
})
