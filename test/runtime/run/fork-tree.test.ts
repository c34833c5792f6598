import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { openForkTree } from '../../../src/runtime/run/fork-tree.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { undoMember } from '../../../src/runtime/run/undo-member.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../support/stage.ts'

const unattended = { mode: 'bypassPermissions', allowBypass: true } as const
const team = {
  name: 'solo',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools: ['Write', 'Bash'] },
  workers: { idle: { description: 'Rests.', prompt: 'You rest.', tools: ['LS'] } },
}
const write = (file_path: string, content: string) => ({ tool: 'Write', input: { file_path, content } })
const bash = (command: string) => ({ tool: 'Bash', input: { command } })
const repository = [
  'git init -q && git -c user.name=a -c user.email=a@b add a.txt .gitignore sub',
  'git -c user.name=a -c user.email=a@b commit -qm one && echo dirty >> sub/b.txt && echo new > untracked.txt',
].join(' && ')

/** The entry of the answer that says these words. */
function entryOf(recorded: readonly Recorded[], words: string): string {
  const found = recorded.find(
    ({ entry }) => entry.type === 'message.appended' && JSON.stringify(entry.message).includes(words),
  )
  if (found === undefined) throw new Error(`nobody said ${words}`)
  return found.entry.id
}

test('a fork works in a worktree where files are as they were at the entry, uncommitted ones included', async () => {
  const steps = [
    { calls: [bash(repository)] },
    { say: 'I write.', calls: [bash('echo first > a.txt'), write('made.txt', 'made\n')] },
    { say: 'Half way.', calls: [bash('true')] },
    { say: 'More.', calls: [write('late.txt', 'late\n'), bash('echo second > a.txt; rm made.txt sub/b.txt')] },
    { say: 'Done.' },
  ]
  const files = { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', '.gitignore': '/home\n/teams\n.troupe\n' }
  const { cwd, run, recorded, result } = await play(team, { lead: { steps } }, { files, ...unattended })
  expect(await result).toMatchObject({ status: 'completed' })
  appendFileSync(join(cwd, 'untracked.txt'), 'by hand\n')
  const at = entryOf(recorded, 'Half way.')
  const place = { at, tree: join(cwd, 'home', 'forked'), env: bareEnv }
  const forked = await openForkTree(run.dir, place)
  expect(forked).toMatchObject({ cwd: place.tree, tree: place.tree, doubts: [] })
  const content = (file: string): string | null =>
    existsSync(join(forked.tree, file)) ? readFileSync(join(forked.tree, file), 'utf8') : null
  expect(['a.txt', 'made.txt', 'late.txt', 'sub/b.txt', 'untracked.txt'].map(content)).toEqual([
    'first\n',
    'made\n',
    null,
    'b\ndirty\n',
    'new\nby hand\n',
  ])
  expect(execFileSync('git', ['branch', '--show-current'], { cwd: forked.tree, encoding: 'utf8' }).trim()).toBe(
    forked.branch,
  )
  await expect(openForkTree(run.dir, place)).rejects.toThrow('is there already')
  await expect(openForkTree(run.dir, { ...place, at: 'lead-999' })).rejects.toThrow('has no entry "lead-999"')
  const home = join(cwd, 'home')
  const dir = forkRun(run.dir, { at, home, cwd: forked.cwd })
  expect((JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as { cwd: string }).cwd).toBe(forked.cwd)
  const again = await resumeTeam(dir, { home, env: bareEnv, force: true, ...unattended })
  expect(await again.result).toMatchObject({ status: 'completed' })
  // The script goes on in the worktree, and the directory of the other run stays as it is.
  expect(content('late.txt')).toBe('late\n')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('second\n')
})

test('what was taken back since is there again, a turn that nobody knows all of is named, and without a repository there is none', async () => {
  const steps = [
    { calls: [bash(repository)] },
    { say: 'I write.', calls: [bash('echo first > a.txt')] },
    { say: 'Half way.', calls: [bash('true')] },
    { say: 'Background.', calls: [{ tool: 'Bash', input: { command: 'echo x > x.txt', run_in_background: true } }] },
    { say: 'Done.' },
  ]
  const files = { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', '.gitignore': '/home\n/teams\n.troupe\n' }
  const lead = { ...team.coordinator, tools: ['Write', 'Bash', 'BashOutput'] }
  const { cwd, run, recorded, result } = await play(
    { ...team, coordinator: lead },
    { lead: { steps } },
    { files, ...unattended },
  )
  expect(await result).toMatchObject({ status: 'completed' })
  const at = entryOf(recorded, 'Half way.')
  const forked = await openForkTree(run.dir, { at, tree: join(cwd, 'home', 'one'), env: bareEnv })
  expect(forked.doubts).toEqual([expect.stringContaining('a turn of lead: ')])
  renameSync(join(cwd, '.git'), join(cwd, 'home', 'git'))
  mkdirSync(join(cwd, 'sub'), { recursive: true })
  writeFileSync(join(cwd, 'sub', 'c.txt'), 'c')
  await expect(openForkTree(run.dir, { at, tree: join(cwd, 'home', 'two'), env: bareEnv })).rejects.toThrow(
    'needs a git repository with a commit',
  )
  expect(() => undoMember(run.dir, { member: 'lead', to: '1' })).toThrow('In the way')
})
