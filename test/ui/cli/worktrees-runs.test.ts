import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTree } from '../../../src/adapters/worktrees/open-tree.ts'
import { acquireLease } from '../../../src/adapters/lease/lease.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { env, gitIn, repositoryWith, write } from '../../adapters/worktrees/repository.ts'
import { fakeHost } from './fake-host.ts'

async function troupe(cwd: string, ...args: readonly string[]) {
  const host = fakeHost({ cwd, home: cwd, env })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const open = (cwd: string, member: string) => openTree({ cwd, run: 'shop-01J', member, life: 1, now: 7, env })

test('worktrees are listed, merged, archived and removed, and never while their member lives', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  expect(await troupe(cwd, 'worktrees', 'ls')).toEqual({ code: 0, out: '', err: 'No worktrees here.\n' })
  const ana = await open(cwd, 'ana')
  const bo = await open(cwd, 'bo')
  write(ana.tree, { 'ana.txt': 'x' })
  write(bo.tree, { 'bo.txt': 'x' })
  const listed = await troupe(cwd, 'worktrees', 'ls')
  expect(listed.out).toMatch(/shop-01J\/ana +no +1 +0 +troupe\/shop-01J\/ana\/1\nshop-01J\/bo +no +1 /)

  const dir = join(cwd, '.troupe/runs/shop-01J/lease')
  const lease = acquireLease({ dir, name: 'ana', incarnation: '01J', now: () => 7 })
  for (const act of ['merge', 'archive', 'rm']) {
    const refused = await troupe(cwd, 'worktrees', act, 'ana')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is in use')])
  }
  expect(existsSync(ana.tree)).toBe(true)
  lease.release()

  expect((await troupe(cwd, 'worktrees', 'merge', 'ana')).out).toContain('1 commit merged, the worktree is removed')
  expect(existsSync(join(cwd, 'ana.txt'))).toBe(true)
  expect((await troupe(cwd, 'worktrees', 'archive', 'shop-01J/bo')).out).toContain('refs/troupe/archive/shop-01J/bo/1')
  const removed = JSON.parse((await troupe(cwd, 'worktrees', 'rm', 'bo', '--json')).out) as object
  expect(removed).toMatchObject([{ worktree: 'shop-01J/bo', archived: { ref: 'refs/troupe/archive/shop-01J/bo/2' } }])
  expect(gitIn(cwd, 'branch', '--format=%(refname:short)')).toBe('main')
  expect((await troupe(cwd, 'worktrees', 'rm', 'bo')).code).toBe(2)
})

test('runs gc wants to be told what is to go', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const refused = await troupe(cwd, 'runs', 'gc')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--older-than 30d')])
  expect((await troupe(cwd, 'runs', 'gc', '--keep', '3')).err).toBe('0 runs, 0 KiB removed\n')
  expect((await troupe(cwd, 'runs', 'ls')).err).toBe('No runs here.\n')
})
