import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mergeTree } from '../../../src/adapters/worktrees/merge-tree.ts'
import { openTree } from '../../../src/adapters/worktrees/open-tree.ts'
import { stateOfTree } from '../../../src/adapters/worktrees/tree-state.ts'
import { env, gitIn, refusalOf, repositoryWith, tryGitIn, write } from './repository.ts'

const open = (cwd: string) => openTree({ cwd, run: 'shop-01J', member: 'ana', life: 1, now: 7, env })

/** A repository with a branch `other` that conflicts in a.txt, and a worker's tree with one commit. */
async function stage() {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  gitIn(cwd, 'switch', '-q', '-c', 'other')
  write(cwd, { 'a.txt': 'theirs\n' })
  gitIn(cwd, 'commit', '-q', '-a', '-m', 'theirs')
  gitIn(cwd, 'switch', '-q', 'main')
  write(cwd, { 'a.txt': 'ours\n' })
  gitIn(cwd, 'commit', '-q', '-a', '-m', 'ours')
  const file = await open(cwd)
  write(file.tree, { 'b.txt': 'b\n' })
  gitIn(file.tree, 'add', '.')
  gitIn(file.tree, 'commit', '-q', '-m', 'b')
  return { cwd, file }
}

/** Everything that an operation of git has in a directory. */
function stateOf(cwd: string) {
  const git = gitIn(cwd, 'rev-parse', '--absolute-git-dir')
  const marks = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG']
  return {
    status: gitIn(cwd, 'status', '--porcelain'),
    head: gitIn(cwd, 'rev-parse', 'HEAD'),
    text: readFileSync(join(cwd, 'a.txt'), 'utf8'),
    marks: marks.filter((name) => existsSync(join(git, name))),
  }
}

const operations: readonly [what: string, begin: readonly (readonly string[])[]][] = [
  ['a merge', [['merge', 'other']]],
  ['a merge', [['merge', '--no-commit', '--strategy=ours', 'other']]],
  ['a cherry-pick', [['cherry-pick', 'other']]],
  [
    'a revert',
    [
      ['revert', '--no-edit', 'HEAD~1'],
      ['revert', '--no-commit', 'HEAD'],
    ],
  ],
  ['a rebase', [['rebase', 'other']]],
  ['a rebase or git am', [['rebase', '--apply', 'other']]],
  ['a bisect', [['bisect', 'start', 'HEAD', 'HEAD~1']]],
  ['unmerged files', [['checkout', '-q', '-m', 'other']]],
]

describe('a merge begins nothing while a person is in the middle of', () => {
  test.for(operations)('%s', async ([what, begin]) => {
    const { cwd, file } = await stage()
    if (what === 'unmerged files') write(cwd, { 'a.txt': 'mine\n' })
    for (const args of begin) tryGitIn(cwd, ...args)
    const before = stateOf(cwd)
    expect(refusalOf(await mergeTree(file, env))).toContain(what)
    expect(stateOf(cwd)).toEqual(before)
    expect(existsSync(join(file.tree, 'b.txt'))).toBe(true)
  })

  test('a stash that conflicted, or a squash that is staged', async () => {
    const { cwd, file } = await stage()
    write(cwd, { 'a.txt': 'stashed\n' })
    gitIn(cwd, 'stash', '-q')
    write(cwd, { 'a.txt': 'again\n' })
    gitIn(cwd, 'commit', '-q', '-a', '-m', 'again')
    tryGitIn(cwd, 'stash', 'pop')
    const popped = stateOf(cwd)
    expect(popped.status).toBe('UU a.txt')
    expect(await mergeTree(file, env)).toMatchObject({ merged: false })
    expect(stateOf(cwd)).toEqual(popped)
    gitIn(cwd, 'reset', '-q', '--hard')

    gitIn(cwd, 'switch', '-q', '-c', 'third', 'HEAD~2')
    write(cwd, { 'c.txt': 'c\n' })
    gitIn(cwd, 'add', '.')
    gitIn(cwd, 'commit', '-q', '-m', 'c')
    gitIn(cwd, 'switch', '-q', 'main')
    tryGitIn(cwd, 'merge', '-q', '--squash', 'third')
    const squashed = stateOf(cwd)
    expect(squashed.status).toBe('A  c.txt')
    expect(await mergeTree(file, env)).toMatchObject({ merged: false })
    expect(stateOf(cwd)).toEqual(squashed)
  })

  test('the worker left unfinished in its tree', async () => {
    const { cwd, file } = await stage()
    write(file.tree, { 'a.txt': 'hers\n' })
    gitIn(file.tree, 'commit', '-q', '-a', '-m', 'hers')
    tryGitIn(file.tree, 'merge', 'other')
    expect(refusalOf(await mergeTree(file, env))).toContain('a merge')
    expect(stateOf(file.tree).marks).toEqual(['MERGE_HEAD'])
    expect(gitIn(cwd, 'log', '-1', '--format=%s')).toBe('ours')
  })
})

describe('a merge is refused', () => {
  test('over a change of a person that it would overwrite, and the change stays', async () => {
    const { cwd, file } = await stage()
    gitIn(cwd, 'config', 'merge.autoStash', 'true')
    write(cwd, { 'b.txt': 'mine\n' })
    expect(await mergeTree(file, env)).toMatchObject({ merged: false, conflicts: [] })
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('mine\n')
    expect(gitIn(cwd, 'stash', 'list')).toBe('')
  })

  test('from a tree whose link to the repository was changed, whose configuration would run something', async () => {
    const { cwd, file } = await stage()
    const other = repositoryWith({ 'b.txt': 'x' })
    const ran = join(other, 'ran')
    gitIn(other, 'config', 'filter.x.clean', `touch ${ran}; cat`)
    write(file.tree, { '.gitattributes': '* filter=x\n', 'c.txt': 'c\n' })
    writeFileSync(join(file.tree, '.git'), `gitdir: ${join(other, '.git')}\n`)
    expect(refusalOf(await mergeTree(file, env))).toContain('no longer')
    expect(existsSync(ran)).toBe(false)
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('')
  })

  test('where a filter is a script of the repository; listing does not run it either', async () => {
    const { cwd, file } = await stage()
    gitIn(cwd, 'config', 'filter.x.clean', 'sh tools/clean.sh')
    write(file.tree, { '.gitattributes': '* filter=x\n', 'tools/clean.sh': `touch ${cwd}/ran; cat\n` })
    expect((await stateOfTree(file, env)).dirty).toBeGreaterThan(0)
    const reason = 'filter.x.clean runs a file of the repository, which the worker could have changed'
    expect(await mergeTree(file, env)).toMatchObject({ merged: false, reason })
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  test('when the tree is gone', async () => {
    const { file } = await stage()
    rmSync(file.tree, { recursive: true })
    expect(refusalOf(await mergeTree(file, env))).toContain(file.branch)
  })
})

test('a merge commits whatever the options of the branch are, in a sparse tree too', async () => {
  const { cwd, file } = await stage()
  gitIn(cwd, 'config', 'branch.main.mergeOptions', '--no-commit --squash')
  gitIn(file.tree, 'sparse-checkout', 'set', 'src')
  write(file.tree, { 'src/x.txt': 'x\n', 'out/y.txt': 'y\n' })
  expect(await mergeTree(file, env)).toMatchObject({ merged: true, commits: 2 })
  expect(gitIn(cwd, 'log', '-1', '--format=%s')).toBe('Merge the work of ana in shop-01J')
  expect(gitIn(cwd, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(
    expect.arrayContaining(['a.txt', 'b.txt', 'out/y.txt', 'src/x.txt']),
  )
})
