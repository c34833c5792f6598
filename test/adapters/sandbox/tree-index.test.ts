import {
  chmodSync,
  chownSync,
  statSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { treeIndex } from '../../../src/adapters/sandbox/tree-index.ts'

let base = ''
const at = (path: string) => join(base, path)
const make = (path: string, text = '') => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tree-index-'))
})
afterEach(() => {
  if (process.getuid?.() === 0) process.seteuid?.(0)
  rmSync(base, { recursive: true, force: true })
})

test('finds what configures tools, and whatever git takes for a repository', () => {
  for (const path of ['.git/HEAD', 'bare/objects/a', 'bare/refs/a', 'w/HEAD', 'w/commondir', 'sub/.git', 'sub/.envrc'])
    make(path)
  for (const path of ['node_modules/a/.npmrc', 'node_modules/a/.git/HEAD', '.vscode/tasks.json', 'HEAD']) make(path)
  symlinkSync('../x', at('sub/link'))
  const look = treeIndex(Date.now).look([base])
  expect(look.repositories.toSorted()).toEqual([at('.git'), at('bare'), at('node_modules/a/.git')])
  expect(look.worktrees).toEqual([at('w')])
  expect(look.gitFiles).toEqual([at('sub/.git')])
  expect(look.files.toSorted()).toEqual([at('.vscode'), at('sub/.envrc')])
  expect([...look.links]).toEqual([[at('sub/link'), '../x']])
  expect(look.seen).toContain(at('bare/objects/a'))
  expect(look.seen).not.toContain(at('node_modules/a/.npmrc'))
})

test('says after each change the same as a look that knows nothing', async () => {
  make('a/b/.envrc')
  make('a/c/x')
  const index = treeIndex(Date.now)
  const changes = [
    () => make('a/c/.npmrc'),
    () => rmSync(at('a/b/.envrc')),
    () => renameSync(at('a/c'), at('a/b/c')),
    () => make('a/c/.git/HEAD'),
    () => linkSync(at('a/b/c/x'), at('a/.bashrc')),
    () => symlinkSync('b', at('a/l')),
    () => rmSync(at('a'), { recursive: true }),
    () => make('a', 'a file now'),
    () => rmSync(base, { recursive: true }),
  ]
  for (const change of changes) {
    change()
    expect(index.look([base])).toEqual(treeIndex(Date.now).look([base]))
    expect(await index.lookBehind([base])).toEqual(treeIndex(Date.now).look([base]))
  }
})

test('a look behind a command opens what nobody may list', async () => {
  make('n/.git/HEAD')
  const index = treeIndex(Date.now)
  index.look([base])
  make('m/.git/HEAD')
  chmodSync(at('m'), 0)
  const { repositories } = await index.lookBehind([base])
  expect(repositories.toSorted()).toEqual([at('m/.git'), at('n/.git')])
})

test('directories that were shut before stay as they are', async () => {
  // Root may list everything.
  if (process.getuid?.() === 0) {
    chownSync(base, 65_534, 65_534)
    process.seteuid?.(65_534)
  }
  make('p/.git/HEAD')
  make('q/x')
  chmodSync(at('p'), 0o300)
  chmodSync(at('q'), 0o600)
  const modes = () => ['p', 'q'].map((name) => statSync(at(name)).mode & 0o777)
  const index = treeIndex(Date.now)
  const before = index.look([base])
  expect(before.shut.toSorted()).toEqual([at('p'), at('q')])
  make('m/.git/HEAD')
  chmodSync(at('m'), 0)
  index.look([base])
  const after = await index.lookBehind([base], before.shut)
  expect([after.shut.toSorted(), after.repositories, modes()]).toEqual([
    [at('p'), at('q')],
    [at('m/.git')],
    [0o300, 0o600],
  ])
  for (const name of ['p', 'q']) chmodSync(at(name), 0o700)
})
