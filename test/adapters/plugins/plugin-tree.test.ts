import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyPlugin, pluginFiles, pluginHash, pluginLimits } from '../../../src/adapters/plugins/plugin-tree.ts'

function tree(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-plugin-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const root = join(dir, 'fmt')
  mkdirSync(join(root, 'hooks', '.git'), { recursive: true })
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'config'), 'x')
  writeFileSync(join(root, 'run.sh'), 'echo run')
  writeFileSync(join(root, 'hooks', 'hooks.json'), '{}')
  writeFileSync(join(dir, 'secret'), 's3cret')
  return root
}

test('a copy has the files, the right to run them, and the same hash; git is left behind', () => {
  const root = tree()
  chmodSync(join(root, 'run.sh'), 0o4777)
  symlinkSync('../run.sh', join(root, 'hooks', 'again'))
  const to = join(root, '..', 'copy')
  copyPlugin(root, to)
  expect(pluginFiles(to).map(({ path }) => path)).toEqual(['hooks/again', 'hooks/hooks.json', 'run.sh'])
  expect(pluginHash(to)).toBe(pluginHash(root))
  expect(existsSync(join(to, '.git'))).toBe(false)
  expect(spawnSync(join(to, 'run.sh'), { shell: '/bin/sh' }).stdout.toString()).toBe('run\n')
  expect(spawnSync('stat', ['-c', '%a', join(to, 'run.sh')]).stdout.toString()).toBe('700\n')
})

test.each<[string, (root: string) => void]>([
  ['a content', (root) => writeFileSync(join(root, 'run.sh'), 'echo ran')],
  ['a name', (root) => writeFileSync(join(root, 'run2.sh'), '')],
  ['a right', (root) => chmodSync(join(root, 'run.sh'), 0o755)],
  ['a link', (root) => symlinkSync('run.sh', join(root, 'link'))],
])('%s changes the hash', (_, change) => {
  const root = tree()
  const before = pluginHash(root)
  change(root)
  expect(pluginHash(root)).not.toBe(before)
})

test.each<[string, (root: string) => void, string]>([
  ['a link out of it', (root) => symlinkSync('../secret', join(root, 'x')), 'leads out of the plugin'],
  ['an absolute link', (root) => symlinkSync(join(root, 'run.sh'), join(root, 'x')), 'leads out of the plugin'],
  ['a link to nothing', (root) => symlinkSync('nothing', join(root, 'x')), 'leads nowhere'],
  ['a link in a circle', (root) => symlinkSync('x', join(root, 'x')), 'leads nowhere'],
  [
    'a link out by way of another',
    (root) => {
      symlinkSync('.', join(root, 'here'))
      symlinkSync('here/../secret', join(root, 'x'))
      writeFileSync(join(root, 'secret'), 'a decoy, for those who read the link as a text')
    },
    'leads out of the plugin',
  ],
  ['a pipe', (root) => void spawnSync('mkfifo', [join(root, 'x')]), 'neither a file nor a directory'],
  [
    'more than may be',
    (root) => {
      writeFileSync(join(root, 'x'), '')
      truncateSync(join(root, 'x'), pluginLimits.bytes)
    },
    'larger than 100 MiB',
  ],
  ['a pit', (root) => void mkdirSync(join(root, 'a/'.repeat(30)), { recursive: true }), 'deeper than 24'],
])('a plugin with %s is not taken', (_, spoil, why) => {
  const root = tree()
  spoil(root)
  expect(() => pluginFiles(root)).toThrow(why)
  expect(() => copyPlugin(root, join(root, '..', 'copy'))).toThrow(why)
})
