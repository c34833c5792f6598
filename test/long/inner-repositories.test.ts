import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveTree } from '../../src/adapters/worktrees/archive-tree.ts'
import { mergeTree } from '../../src/adapters/worktrees/merge-tree.ts'
import { openTree } from '../../src/adapters/worktrees/open-tree.ts'
import { removeTree } from '../../src/adapters/worktrees/archive-tree.ts'
import { stateOfTree } from '../../src/adapters/worktrees/tree-state.ts'
import { env, gitIn, refusalOf, repositoryWith, write } from '../adapters/worktrees/repository.ts'

const local = ['-c', 'protocol.file.allow=always'] as const

/** A repository with the submodule `lib`, which has the submodule `deep`, and a worker's tree where both are checked out. */
async function stage() {
  const deep = repositoryWith({ 'deep.txt': 'one\n' })
  const lib = repositoryWith({ 'lib.txt': 'one\n' })
  gitIn(lib, ...local, 'submodule', '--quiet', 'add', deep, 'deep')
  gitIn(lib, 'commit', '-q', '-m', 'deep')
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  gitIn(cwd, ...local, 'submodule', '--quiet', 'add', lib, 'lib')
  gitIn(cwd, ...local, 'submodule', '--quiet', 'update', '--init', '--recursive')
  gitIn(cwd, 'commit', '-q', '-m', 'lib')
  const file = await openTree({ cwd, run: 'shop-01J', member: 'ana', life: 1, now: 7, env })
  gitIn(file.tree, ...local, 'submodule', '--quiet', 'update', '--init', '--recursive')
  const own = join(file.tree, 'lib')
  for (const dir of [own, join(own, 'deep')]) {
    gitIn(dir, 'config', 'user.name', 'Ann')
    gitIn(dir, 'config', 'user.email', 'ann@example.com')
  }
  return { cwd, file, own }
}

/** A commit in the submodule, an uncommitted file in the one inside it. */
function work(own: string) {
  write(own, { 'lib.txt': 'hers\n', 'deep/new.txt': 'new\n' })
  gitIn(own, 'commit', '-q', '-m', 'hers', 'lib.txt')
}

test('a submodule in which nothing was done keeps no tree', async () => {
  const { file } = await stage()
  expect(await stateOfTree(file, env)).toEqual({ dirty: 0, unmerged: 0 })
  expect(await removeTree(file, env)).toBeNull()
  expect(existsSync(file.tree)).toBe(false)
})

test('a merge carries the commits of submodules, and what is uncommitted in them, at any depth', async () => {
  const { cwd, file, own } = await stage()
  work(own)
  expect(await mergeTree(file, env)).toMatchObject({
    merged: true,
    inner: [{ name: 'lib' }, { name: 'lib/modules/deep' }],
  })
  await removeTree(file, env)
  gitIn(cwd, 'submodule', '--quiet', 'update', '--recursive')
  expect(readFileSync(join(cwd, 'lib/lib.txt'), 'utf8')).toBe('hers\n')
  expect(readFileSync(join(cwd, 'lib/deep/new.txt'), 'utf8')).toBe('new\n')
  gitIn(join(cwd, 'lib'), 'reflog', 'expire', '--expire=now', '--all')
  gitIn(join(cwd, 'lib'), 'gc', '-q', '--prune=now')
  expect(gitIn(cwd, 'submodule', 'status', '--recursive')).not.toMatch(/^[-+U]/m)
})

test('work that stands on a branch of a submodule alone counts, and is archived before the tree is removed', async () => {
  const { cwd, file, own } = await stage()
  gitIn(own, 'switch', '-q', '-c', 'side')
  work(own)
  gitIn(own, 'switch', '-q', '--detach', 'HEAD~1')
  write(own, { 'deep/new.txt': 'later\n' })
  expect(await stateOfTree(file, env)).toEqual({ dirty: 1, unmerged: 1 })
  const kept = await removeTree(file, env)
  const ref = 'refs/troupe/archive/shop-01J/ana/1'
  expect(kept?.inner).toMatchObject([
    { name: 'lib', ref },
    { name: 'lib/modules/deep', ref },
  ])
  expect(gitIn(join(cwd, 'lib'), 'log', '--format=%s', ref).split('\n')).toContain('hers')
  expect(gitIn(join(cwd, 'lib/deep'), 'show', `${ref}:new.txt`)).toBe('later')
  const clone = join(cwd, '.troupe/clone')
  gitIn(cwd, 'clone', '-q', join(cwd, '.git/modules/lib'), clone)
  gitIn(clone, 'fetch', '-q', kept?.inner[0]?.bundle ?? '', `${ref}:refs/heads/rescued`)
  expect(gitIn(clone, 'log', '--format=%s', 'rescued').split('\n')).toContain('hers')
})

test('a submodule that the repository has not checked out: the tree stays, an archive is a bundle', async () => {
  const { cwd, file, own } = await stage()
  work(own)
  gitIn(cwd, 'submodule', '--quiet', 'deinit', '--force', '--all')
  rmSync(join(cwd, '.git/modules'), { recursive: true })
  expect(refusalOf(await mergeTree(file, env))).toContain('update --init lib')
  const kept = await archiveTree(file, env)
  expect(kept?.inner).toMatchObject([
    { name: 'lib', ref: null },
    { name: 'lib/modules/deep', ref: null },
  ])
  expect(kept?.inner.every(({ bundle }) => existsSync(bundle))).toBe(true)
})

test('a repository that the worker made in its tree is archived, is in no merge, and runs nothing', async () => {
  const { cwd, file } = await stage()
  const made = join(file.tree, 'deep/er')
  write(made, { 'x.txt': 'x\n', '.gitattributes': '* filter=evil\n' })
  gitIn(made, 'init', '-q')
  gitIn(made, 'config', 'filter.evil.clean', `touch ${cwd}/ran; cat`)
  expect((await stateOfTree(file, env)).dirty).toBeGreaterThan(1)
  expect(refusalOf(await mergeTree(file, env))).toContain('deep/er')
  const kept = await removeTree(file, env)
  expect(kept?.inner).toMatchObject([{ name: 'deep/er', ref: null }])
  gitIn(cwd, 'init', '-q', '.troupe/fresh')
  const fresh = join(cwd, '.troupe/fresh')
  gitIn(fresh, 'fetch', '-q', kept?.inner[0]?.bundle ?? '', `${kept?.ref}:refs/heads/rescued`)
  expect(gitIn(fresh, 'show', 'rescued:x.txt')).toBe('x')
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})
