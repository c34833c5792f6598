import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openTree } from '../../../src/adapters/worktrees/open-tree.ts'
import { acquireLease } from '../../../src/adapters/lease/lease.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { writeJson } from '../../../src/adapters/sessions/write-json.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { stopFile } from '../../../src/runtime/runs/stop-file.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { env, gitIn, repositoryWith, write } from '../../adapters/worktrees/repository.ts'
import { everyEntry } from '../../support/every-entry.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { fakeHost, Screen } from './fake-host.ts'

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

  expect((await troupe(cwd, 'worktrees', 'diff', 'anna')).err).toContain('no worktree "anna" (did you mean "ana"?)')
  expect((await troupe(cwd, 'worktrees', 'merge', 'ana')).out).toContain('1 commit merged, the worktree is removed')
  expect(existsSync(join(cwd, 'ana.txt'))).toBe(true)
  expect((await troupe(cwd, 'worktrees', 'archive', 'shop-01J/bo')).out).toContain('refs/troupe/archive/shop-01J/bo/1')
  const removed = JSON.parse((await troupe(cwd, 'worktrees', 'rm', 'bo', '--json')).out) as object
  expect(removed).toMatchObject([{ worktree: 'shop-01J/bo', archived: { ref: 'refs/troupe/archive/shop-01J/bo/2' } }])
  expect(gitIn(cwd, 'branch', '--format=%(refname:short)')).toBe('main')
  expect((await troupe(cwd, 'worktrees', 'rm', 'bo')).code).toBe(2)
})

test('the changes of a worktree are shown while its member works: committed, uncommitted and new ones', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n', 'gone.txt': 'x\n' })
  const { tree, base } = await open(cwd, 'ana')
  gitIn(cwd, 'config', 'diff.external', 'false')
  gitIn(cwd, 'config', 'core.pager', 'false')
  write(tree, { 'a.txt': 'two\u001b[31m\n' })
  gitIn(tree, 'commit', '-q', '-a', '-m', 'two')
  rmSync(join(tree, 'gone.txt'))
  write(tree, { 'new.txt': 'new\n' })
  const before = gitIn(tree, 'status', '--porcelain')
  const shown = await troupe(cwd, 'worktrees', 'diff', 'ana')
  expect(shown.code).toBe(0)
  for (const line of ['-one', '+two\u001b[31m', '-x', '+new', '--- a/a.txt']) expect(shown.out).toContain(`${line}\n`)
  expect((await troupe(cwd, 'worktrees', 'diff', 'ana', '--stat')).out).toBe(
    '+1 -1\ta.txt\n+0 -1\tgone.txt\n+1 -0\tnew.txt\n',
  )
  const [document] = JSON.parse((await troupe(cwd, 'worktrees', 'diff', 'ana', '--json')).out) as [{ patch: string }]
  expect(document).toMatchObject({
    worktree: 'shop-01J/ana',
    base,
    files: [{ path: 'a.txt', added: 1, deleted: 1 }, {}, {}],
  })
  gitIn(cwd, 'config', '--unset', 'diff.external')
  expect(gitIn(tree, 'status', '--porcelain')).toBe(before)

  await open(cwd, 'bo')
  expect(await troupe(cwd, 'worktrees', 'diff', 'bo')).toEqual({
    code: 0,
    out: '',
    err: 'shop-01J/bo: nothing changed\n',
  })
  expect((await troupe(cwd, 'worktrees', 'diff', 'nobody')).code).toBe(2)
})

test('a pipe gets a patch that git applies byte for byte, and a terminal nothing to obey', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\nkept\n \n' })
  const { tree } = await open(cwd, 'ana')
  const files = {
    'a.txt': Buffer.from('two\u001b]0;title\u0007\r\nkept\n \n'),
    'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff, 0x0a, 0]),
    'no-end.txt': Buffer.from('no line end'),
  }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(tree, name), bytes)
  const chunks: Buffer[] = []
  const stdout = Object.assign(new PassThrough(), { text: '', isTTY: false, columns: 80, rows: 24 })
  stdout.on('data', (chunk: Buffer) => void chunks.push(chunk))
  expect(await main(['worktrees', 'diff', 'ana'], { ...fakeHost({ cwd, home: cwd, env }), stdout })).toBe(0)
  execFileSync('git', ['apply'], { cwd, input: Buffer.concat(chunks), stdio: 'pipe' })
  for (const [name, bytes] of Object.entries(files))
    expect([name, readFileSync(join(cwd, name))]).toEqual([name, bytes])

  const terminal = { ...fakeHost({ cwd, home: cwd, env }), stdout: new Screen({ columns: 80, rows: 24 }) }
  await main(['worktrees', 'diff', 'ana'], terminal)
  expect(terminal.stdout.text).toContain('Binary files differ\n')
  expect(terminal.stdout.text).not.toContain('title\u0007')
  expect(terminal.stdout.text).not.toContain('literal')
})

test('a tree of an interrupted run is left alone until the run is stopped', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const { mint, now } = systemClock()
  const place = { root: join(cwd, '.troupe/runs'), home: cwd, cwd, git_head: null }
  const { id, dir } = createRun({ ...place, team: sampleTeam(), task: 'Go.', ulid: mint(), created: now() })
  const { tree } = await openTree({ cwd, run: id, member: 'ana', life: 1, now: 7, env })
  write(tree, { 'ana.txt': 'x' })
  for (const act of ['merge', 'archive', 'rm']) {
    const refused = await troupe(cwd, 'worktrees', act, 'ana')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`troupe stop ${id} ends it`)])
  }
  writeJson(stopFile(dir), { at: now(), reason: 'a person' })
  expect((await troupe(cwd, 'worktrees', 'merge', 'ana')).code).toBe(0)
  expect(existsSync(join(cwd, 'ana.txt'))).toBe(true)
})

test('the tree of a member that was stopped for good can be merged while the team goes on, until it is started again', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const { mint, now } = systemClock()
  const place = { root: join(cwd, '.troupe/runs'), home: cwd, cwd, git_head: null }
  const run = createRun({ ...place, team: sampleTeam(), task: 'Go.', ulid: mint(), created: now() })
  const { journal } = run.openJournal('team', now, everyEntry)
  const lease = acquireLease({ dir: join(run.dir, 'lease'), name: 'team', incarnation: mint(), now })
  const { tree } = await openTree({ cwd, run: run.id, member: 'ana', life: 1, now: 7, env })
  write(tree, { 'ana.txt': 'x' })
  const inUse = async () => (await troupe(cwd, 'worktrees', 'ls')).out.includes('/ana  yes')
  const begun = { type: 'member.spawned', member: 'ana', attempt: 1 } as const
  const stopped = { type: 'member.stopped', member: 'ana', by: 'user', reason: 'enough' } as const
  const seen = [await inUse()]
  for (const fact of [begun, stopped, begun, stopped]) {
    journal.append([fact])
    seen.push(await inUse())
  }
  expect(seen).toEqual([true, true, false, true, false])
  expect((await troupe(cwd, 'worktrees', 'merge', 'ana')).out).toContain('1 commit merged')
  lease.release()
})

test('branches that a worker made are named when its tree goes, and so is work that a merge left out', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  gitIn(cwd, 'branch', 'old')
  const commit = (dir: string, name: string) => {
    write(dir, { [name]: 'x\n' })
    gitIn(dir, 'add', '.')
    gitIn(dir, 'commit', '-q', '-m', name)
  }
  const ana = await open(cwd, 'ana')
  commit(ana.tree, 'first.txt')
  gitIn(ana.tree, 'switch', '-q', '-c', 'mine', 'main')
  commit(ana.tree, 'mine.txt')
  gitIn(ana.tree, 'branch', 'kept')
  const merged = await troupe(cwd, 'worktrees', 'merge', 'ana')
  expect(merged.out).toContain('kept as refs/troupe/archive/shop-01J/ana/1 and in ')
  expect(merged.out).toContain('its member also worked on kept, mine, which stays')
  expect(gitIn(cwd, 'branch', '--format=%(refname:short)').split('\n')).toEqual(['kept', 'main', 'mine', 'old'])

  const bo = await open(cwd, 'bo')
  gitIn(bo.tree, 'switch', '-q', '-c', 'bos')
  commit(bo.tree, 'bo.txt')
  expect(JSON.parse((await troupe(cwd, 'worktrees', 'rm', 'bo', '--json')).out)).toEqual([
    { worktree: 'shop-01J/bo', archived: null, branches: ['bos'] },
  ])
})

test('runs gc wants to be told what is to go', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const refused = await troupe(cwd, 'runs', 'gc')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--older-than 30d')])
  expect((await troupe(cwd, 'runs', 'gc', '--keep', '3')).err).toBe('0 runs, 0 KiB removed\n')
  expect((await troupe(cwd, 'runs', 'ls')).err).toBe('No runs here.\n')
})
