import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { cliReference } from '../../../tools/cli-reference.ts'
import { readFileSync } from 'node:fs'
import { bin, emptyDirectory, troupe } from './troupe.ts'

/** Says every module that is loaded, before anything else is. */
const spy = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module'
   registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context) } })`,
)}`

const packagesLoadedBy = (...args: readonly string[]): readonly string[] => {
  const { stderr } = spawnSync(process.execPath, ['--import', spy, bin, ...args], {
    cwd: emptyDirectory(),
    encoding: 'utf8',
  })
  const names = stderr.split('\n').flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return [...new Set(names)].toSorted()
}

describe('starting', () => {
  test('the version is told without the command line', () => {
    expect(packagesLoadedBy('--version')).toEqual([])
  })

  test.each([[['--help']], [['run', '--help']]])('%j loads the command line and nothing heavy', (args) => {
    expect(packagesLoadedBy(...args)).toEqual(['@commander-js/extra-typings', 'commander'])
  })

  test('the probe sees what a command loads', () => {
    expect(packagesLoadedBy('schema')).toEqual(expect.arrayContaining(['zod']))
  })

  test('the version is the one of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await troupe(emptyDirectory(), ['-V'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

test('docs/cli.md is what the program prints', () => {
  expect(readFileSync('docs/cli.md', 'utf8')).toBe(cliReference())
})
