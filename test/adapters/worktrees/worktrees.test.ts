import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { archiveTree, removeTree } from '../../../src/adapters/worktrees/archive-tree.ts'
import { mergeTree } from '../../../src/adapters/worktrees/merge-tree.ts'
import { openTree } from '../../../src/adapters/worktrees/open-tree.ts'
import { stateOfTree } from '../../../src/adapters/worktrees/tree-state.ts'
import {
  listWorktrees,
  readWorktree,
  worktreesRoot,
  writeWorktree,
} from '../../../src/adapters/worktrees/worktree-files.ts'
import type { WorktreeFile } from '../../../src/protocol/work/worktree.ts'
import { env, gitIn, repositoryWith, write } from './repository.ts'

const open = (cwd: string, life = 1) => openTree({ cwd, run: 'shop-01J', member: 'ana', life, now: 7, env })
const read = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8')

describe('a file is not believed', () => {
  const other = () => repositoryWith({ 'a.txt': 'one\n' })

  test.for<[what: string, lie: (told: WorktreeFile) => Partial<WorktreeFile>]>([
    ['the tree of another repository', () => ({ tree: join(other(), '.troupe/worktrees/shop-01J/ana') })],
    ['a repository that is somewhere else', () => ({ repository: other() })],
    ['another run', () => ({ run: 'shop-02J' })],
    ['a pattern for a run', () => ({ run: '*' })],
    ['another member', () => ({ member: 'bob' })],
    ['a branch of a person', () => ({ branch: 'main' })],
    ['an option for a commit', () => ({ base: '--all' })],
  ])('that names %s', async ([, lie]) => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    const path = `${file.tree}.json`
    writeFileSync(path, JSON.stringify({ ...file, ...lie(file) }))
    expect(readWorktree(file.tree)).toBeNull()
    expect(listWorktrees(worktreesRoot(cwd))).toEqual([])
  })

  test('beside a link that leads to a tree of somebody else', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    gitIn(cwd, 'worktree', 'move', file.tree, join(cwd, 'elsewhere'))
    symlinkSync(join(cwd, 'elsewhere'), file.tree)
    expect(readWorktree(file.tree)).toBeNull()
  })
})

describe('a tree is opened', () => {
  test('from the commit that is checked out, on a branch of its own, without what is not committed', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    write(cwd, { 'a.txt': 'changed\n' })
    const file = await open(cwd)
    expect(file).toMatchObject({ tree: join(cwd, '.troupe/worktrees/shop-01J/ana'), ready: true })
    expect(read(file.tree, 'a.txt')).toBe('one\n')
    expect(gitIn(file.tree, 'branch', '--show-current')).toBe('troupe/shop-01J/ana/1')
    expect(readWorktree(file.tree)).toEqual(file)
    expect(listWorktrees(worktreesRoot(cwd))).toEqual([file])
    expect(await stateOfTree(file, env)).toEqual({ dirty: 0, unmerged: 0 })
  })

  test('with copies of the ignored files that .worktreeinclude names, and of no others', async () => {
    const cwd = repositoryWith({
      '.gitignore': '.env*\nnode_modules\n',
      '.worktreeinclude': '.env*\n!.env.prod\nnotes.txt\n',
    })
    write(cwd, {
      '.env': 'A=1',
      '.env.prod': 'B=2',
      'config/.env.test': 'C=3',
      'notes.txt': 'mine',
      'node_modules/x': '',
    })
    const { tree } = await open(cwd)
    expect(read(tree, '.env')).toBe('A=1')
    expect(read(tree, 'config/.env.test')).toBe('C=3')
    expect(readdirSync(tree).toSorted()).toEqual(['.env', '.git', '.gitignore', '.worktreeinclude', 'config'])
  })

  test('by the next life where the last one stopped: its commits, its changes and a lock that its git left', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const first = await open(cwd)
    write(first.tree, { 'a.txt': 'two\n' })
    gitIn(first.tree, 'commit', '-q', '-a', '-m', 'second')
    write(first.tree, { 'a.txt': 'three\n', 'new.txt': 'new\n' })
    writeFileSync(join(gitIn(first.tree, 'rev-parse', '--git-dir'), 'index.lock'), '')
    const second = await open(cwd, 2)
    expect(second).toEqual({ ...first, branch: 'troupe/shop-01J/ana/2' })
    expect(read(second.tree, 'a.txt')).toBe('three\n')
    expect(gitIn(second.tree, 'log', '--format=%s')).toBe('second\nfirst')
    expect(await stateOfTree(second, env)).toEqual({ dirty: 2, unmerged: 1 })
  })

  test('by the next life when a kill fell between its new branch and the word of it', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const first = await open(cwd)
    const second = await open(cwd, 2)
    write(second.tree, { 'a.txt': 'two\n' })
    writeWorktree(first)
    const third = await open(cwd, 3)
    expect(third.branch).toBe('troupe/shop-01J/ana/3')
    expect(read(third.tree, 'a.txt')).toBe('two\n')
    writeWorktree(second)
    expect(await open(cwd, 3)).toEqual(third)
  })

  test('anew where a kill left it half made, and from its branch where somebody removed it', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    rmSync(join(file.tree, 'a.txt'))
    writeWorktree({ ...file, ready: false })
    const again = await open(cwd, 2)
    expect(read(again.tree, 'a.txt')).toBe('one\n')
    write(again.tree, { 'a.txt': 'two\n' })
    gitIn(again.tree, 'commit', '-q', '-a', '-m', 'second')
    rmSync(again.tree, { recursive: true })
    expect(read((await open(cwd, 3)).tree, 'a.txt')).toBe('two\n')
  })

  test('never without git, without a commit, or on another branch than its last life', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    gitIn(file.tree, 'switch', '-q', '-c', 'elsewhere')
    await expect(open(cwd, 2)).rejects.toThrow(/is on elsewhere, not on troupe\/shop-01J\/ana\/1/)
    rmSync(join(cwd, '.git'), { recursive: true })
    await expect(openTree({ cwd, run: 'r', member: 'bo', life: 1, now: 7, env })).rejects.toThrow(
      /isolation worktree needs a git repository with a commit.*not a git repository/s,
    )
    gitIn(cwd, 'init', '-q')
    await expect(openTree({ cwd, run: 'r', member: 'bo', life: 1, now: 7, env })).rejects.toThrow(/needs a git/)
    await expect(
      openTree({ cwd, run: 'r', member: 'bo', life: 1, now: 7, env: { PATH: '/nonexistent' } }),
    ).rejects.toThrow(/git cannot be run/)
  })
})

describe('a tree is removed', () => {
  test('with its branches, when nothing would be lost', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    await open(cwd)
    expect(await removeTree(await open(cwd, 2), env)).toBeNull()
    expect(gitIn(cwd, 'branch', '--format=%(refname:short)')).toBe('main')
    expect(gitIn(cwd, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
    expect(readdirSync(worktreesRoot(cwd))).toEqual([])
  })

  test('after all of its work was kept: staged, changed, new and committed files, those of earlier lives too', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n', 'gone.txt': 'x\n' })
    const first = await open(cwd)
    write(first.tree, { 'side.txt': 'side\n' })
    gitIn(first.tree, 'add', '.')
    gitIn(first.tree, 'commit', '-q', '-m', 'side')
    const second = await open(cwd, 2)
    gitIn(second.tree, 'reset', '-q', '--hard', 'HEAD~1')
    write(second.tree, { 'a.txt': 'two\n', 'new/deep.txt': 'deep\n', 'staged.txt': 'staged\n' })
    gitIn(second.tree, 'add', 'staged.txt')
    rmSync(join(second.tree, 'gone.txt'))
    const kept = await removeTree(second, env)
    expect(existsSync(second.tree)).toBe(false)
    const show = (path: string) => gitIn(cwd, 'show', `${kept?.ref}:${path}`)
    expect([show('a.txt'), show('new/deep.txt'), show('staged.txt')]).toEqual(['two', 'deep', 'staged'])
    expect(gitIn(cwd, 'ls-tree', '-r', '--name-only', kept?.ref ?? '').split('\n')).not.toContain('gone.txt')
    expect(gitIn(cwd, 'log', '--format=%s', kept?.ref ?? '').split('\n')).toContain('side')

    const other = join(cwd, '.troupe', 'clone')
    gitIn(cwd, 'clone', '-q', cwd, other)
    gitIn(other, 'fetch', '-q', kept?.bundle ?? '', `${kept?.ref}:refs/heads/rescued`)
    expect(gitIn(other, 'show', 'rescued:a.txt')).toBe('two')
  })

  test('archiving leaves the tree and its index as they were', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    write(file.tree, { 'a.txt': 'two\n', 'new.txt': 'new\n' })
    const before = gitIn(file.tree, 'status', '--porcelain')
    expect((await archiveTree(file, env))?.ref).toBe('refs/troupe/archive/shop-01J/ana/1')
    expect((await archiveTree(file, env))?.ref).toBe('refs/troupe/archive/shop-01J/ana/2')
    expect(gitIn(file.tree, 'status', '--porcelain')).toBe(before)
  })
})

describe('a tree is merged', () => {
  test('with what is committed and what is not; nothing of it is unmerged then', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    write(file.tree, { 'b.txt': 'b\n' })
    gitIn(file.tree, 'add', '.')
    gitIn(file.tree, 'commit', '-q', '-m', 'b')
    write(file.tree, { 'c.txt': 'c\n' })
    expect(await mergeTree(file, env)).toEqual({ merged: true, commits: 2, inner: [], skipped: [] })
    expect([read(cwd, 'b.txt'), read(cwd, 'c.txt')]).toEqual(['b\n', 'c\n'])
    expect(await stateOfTree(file, env)).toEqual({ dirty: 0, unmerged: 0 })
  })

  test('or not at all: a conflict is named and undone', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const file = await open(cwd)
    write(file.tree, { 'a.txt': 'hers\n' })
    write(cwd, { 'a.txt': 'ours\n' })
    gitIn(cwd, 'commit', '-q', '-a', '-m', 'ours')
    expect(await mergeTree(file, env)).toMatchObject({ merged: false, conflicts: ['a.txt'] })
    expect(read(cwd, 'a.txt')).toBe('ours\n')
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('')
    expect(await stateOfTree(file, env)).toEqual({ dirty: 0, unmerged: 1 })
  })
})
