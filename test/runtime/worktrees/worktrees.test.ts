import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { PermissionMode } from '../../../src/protocol/permissions/permission.ts'
import type { ExecutorKind } from '../../../src/protocol/team/team-card.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { gitIn, repositoryWith } from '../../adapters/worktrees/repository.ts'
import { tempDir } from '../support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

interface Scene {
  readonly cwd: string
  readonly worker?: object
  readonly steps: readonly object[]
  /** Workers with the same card and the same script. */
  readonly helpers?: readonly string[]
  readonly mode?: PermissionMode
  /** Where programs are looked for. */
  readonly path?: string | undefined
}

/** Plays a team of a lead and one isolated worker, ana, in a directory that is there already. */
async function play({ cwd, worker = {}, steps, helpers = [], mode = 'acceptEdits', path }: Scene) {
  const teams = tempDir()
  const allOf = (each: object) => Object.fromEntries(['ana', ...helpers].map((name) => [name, each]))
  const ana = {
    description: 'Works.',
    prompt: 'You work.',
    tools: ['Read', 'Write', 'Bash'],
    isolation: 'worktree',
    ...worker,
  }
  const team = {
    name: 'crew',
    model: 'scripted/script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: allOf(ana),
  }
  const subtasks = ['ana', ...helpers].map((worker) => ({ worker, task: 'Work.' }))
  const delegate = { tool: 'Delegate', input: { subtasks } }
  const lead = { steps: [{ calls: [delegate] }, { say: 'ana says {{mail.ana}}' }] }
  writeFileSync(join(teams, 'team.yaml'), stringify(team))
  writeFileSync(join(teams, 'script.yaml'), stringify({ agents: { lead, ...allOf({ steps }) } }))
  const recorded: Recorded[] = []
  const run = runTeam(await loadTeam(join(teams, 'team.yaml'), { env: {} }), {
    task: 'Begin.',
    cwd,
    home: join(teams, 'home'),
    env: path === undefined ? bareEnv : { ...bareEnv, PATH: path },
    rules: { allow: ['Bash(git commit:*)', 'Bash(git add:*)'], deny: ['Read(./secret.txt)'] },
    mode,
    allowBypass: true,
  })
  run.subscribe((each) => recorded.push(each))
  const result = await run.result
  const said = <Type extends Fact['type']>(type: Type) =>
    recorded.flatMap(({ owner, entry }) =>
      owner !== 'lead' && entry.type === type ? [entry as unknown as Extract<Fact, { type: Type }>] : [],
    )
  return { run, result, said, tree: join(cwd, '.troupe/worktrees', run.id, 'ana') }
}

const bash = (command: string) => ({ tool: 'Bash', input: { command } })
const texts = (said: readonly object[]) => JSON.stringify(said)

describe.each<ExecutorKind>(['in-process', 'process'])('a worker with a worktree of its own, %s', (executor) => {
  test('works there and nowhere else, and what it leaves is kept and said', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n', 'sub/b.txt': 'b\n', 'secret.txt': 's' })
    const { run, result, said, tree } = await play({
      cwd,
      worker: { executor },
      steps: [
        { calls: [bash('pwd -P; git branch --show-current')] },
        {
          calls: [
            { tool: 'Write', input: { file_path: 'new.txt', content: 'new\n' } },
            { tool: 'Write', input: { file_path: join(cwd, 'outside.txt'), content: 'x' } },
            { tool: 'Read', input: { file_path: 'secret.txt' } },
            { tool: 'Read', input: { file_path: join(cwd, '.troupe/runs') } },
          ],
        },
        { calls: [bash('git add new.txt')] },
        { calls: [bash('git commit -q -m new')] },
        { say: 'Done.' },
      ],
    })
    expect(result).toMatchObject({ status: 'completed', result: 'ana says Done.' })
    const told = texts(said('message.appended'))
    expect(told).toContain(`${tree}\\ntroupe/${run.id}/ana/1`)
    expect(readFileSync(join(tree, 'new.txt'), 'utf8')).toBe('new\n')
    expect(existsSync(join(cwd, 'new.txt')) || existsSync(join(cwd, 'outside.txt'))).toBe(false)
    expect(said('permission.decided').map(({ tool, decision }) => `${tool} ${decision.behavior}`)).toEqual([
      'Bash allow',
      'Write allow',
      'Write deny',
      'Read deny',
      'Read deny',
      'Bash allow',
      'Bash allow',
    ])
    expect(said('worktree.opened')).toMatchObject([{ member: 'ana', tree, branch: `troupe/${run.id}/ana/1` }])
    expect(said('worktree.closed')).toMatchObject([{ member: 'ana', kept: true, dirty: 0, unmerged: 1 }])
  })

  test('leaves no tree and no branch when it changed nothing', async () => {
    const cwd = repositoryWith({ 'a.txt': 'one\n' })
    const { result, said, tree } = await play({
      cwd,
      worker: { executor },
      steps: [{ calls: [{ tool: 'Read', input: { file_path: 'a.txt' } }] }, { say: 'I looked.' }],
    })
    expect(result.result).toBe('ana says I looked.')
    expect(said('worktree.closed')).toMatchObject([{ kept: false }])
    expect(existsSync(tree)).toBe(false)
    expect(gitIn(cwd, 'branch', '--format=%(refname:short)')).toBe('main')
  })
})

describe('nothing begins where no tree can be made', () => {
  test.for<[what: string, words: RegExp, spoil: (cwd: string) => string]>([
    ['no repository', /is in no working tree of a repository/, () => tempDir()],
    ['no commit', /has no commit/, (cwd) => (gitIn(cwd, 'update-ref', '-d', 'HEAD'), cwd)],
    ['a bare repository', /is in no working tree/, (cwd) => (gitIn(cwd, 'config', 'core.bare', 'true'), cwd)],
    ['a branch called troupe', /git branch -m troupe/, (cwd) => (gitIn(cwd, 'branch', 'troupe'), cwd)],
    ['a directory that is in no commit', /is in no commit/, (cwd) => (mkdirSync(join(cwd, 'new')), join(cwd, 'new'))],
  ])('%s', async ([, words, spoil]) => {
    const cwd = spoil(repositoryWith({ 'a.txt': 'one\n' }))
    await expect(play({ cwd, steps: [] })).rejects.toThrow(words)
    const runs = join(cwd, '.troupe/runs')
    expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([])
  })
})

test('a worker that is asked nothing changes neither the checkout around it nor what all trees share', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n', 'src/b.txt': 'b\n' })
  const before = [gitIn(cwd, 'rev-parse', 'HEAD'), readFileSync(join(cwd, '.git/config'), 'utf8')]
  const lines = [
    `echo x > ${cwd}/esc.txt`,
    `cd ${cwd} && git commit --allow-empty -m x`,
    `git -C ${cwd} checkout -q --detach`,
    'git config core.hooksPath /tmp',
    `cat ${cwd}/a.txt > copy.txt`,
    'cd src; ls; cd ..; ls',
    'ls ..',
  ]
  const { said, tree } = await play({
    cwd,
    mode: 'bypassPermissions',
    steps: [...lines.map((line) => ({ calls: [bash(line)] })), { say: 'Done.' }],
  })
  expect(said('permission.decided').map(({ decision }) => decision.behavior)).toEqual(
    lines.map((_, at) => (at < 4 ? 'deny' : 'allow')),
  )
  expect(gitIn(cwd, 'status', '--porcelain')).toBe('')
  expect([gitIn(cwd, 'rev-parse', 'HEAD'), readFileSync(join(cwd, '.git/config'), 'utf8')]).toEqual(before)
  expect(readFileSync(join(tree, 'copy.txt'), 'utf8')).toBe('one\n')
})

/** A git that fills no tree before so many are being filled. */
function meetingGit(trees: number) {
  const bin = tempDir()
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh
case " $* " in *" reset --quiet --hard "*)
  : > '${bin}'/filled-$$
  looks=0
  while [ $(ls '${bin}' | grep -c filled) -lt ${trees} ]; do
    looks=$((looks + 1))
    if [ $looks -gt 600 ]; then : > '${bin}'/alone; exit 1; fi
    sleep 0.05
  done
esac
exec '${real}' "$@"
`
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 })
  return { path: `${bin}:${process.env['PATH']}`, isAlone: () => existsSync(join(bin, 'alone')) }
}

test('three workers get their trees side by side, and a hook that was left out is said once', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  writeFileSync(join(cwd, '.git/hooks/post-checkout'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  const { path, isAlone } = meetingGit(3)
  const { said } = await play({ cwd, helpers: ['bo', 'cy'], steps: [{ say: 'Done.' }], path })
  expect(isAlone()).toBe(false)
  expect(
    said('worktree.opened')
      .map(({ member }) => member)
      .toSorted(),
  ).toEqual(['ana', 'bo', 'cy'])
  expect(said('warning.raised').filter(({ message }) => message.includes('post-checkout'))).toHaveLength(1)
  expect(existsSync(join(cwd, '.troupe/worktrees/ran'))).toBe(false)
})

test('a branch that a worker made is said when its empty tree goes', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const { said, tree } = await play({
    cwd,
    mode: 'bypassPermissions',
    steps: [{ calls: [bash('git switch -q -c mine; git commit -q --allow-empty -m mine')] }, { say: 'Done.' }],
  })
  expect(said('worktree.closed')).toMatchObject([{ kept: false, branches: ['mine'] }])
  expect(existsSync(tree)).toBe(false)
})

test('the same directory below the top of the tree, and rules of the project that follow', async () => {
  const cwd = repositoryWith({
    'sub/b.txt': 'b\n',
    'sub/closed/c.txt': 'c\n',
    '.troupe/settings.json': JSON.stringify({ permissions: { deny: ['Read(/sub/closed/**)'] } }),
  })
  mkdirSync(join(cwd, 'sub', '.troupe'), { recursive: true })
  const { said } = await play({
    cwd: join(cwd, 'sub'),
    steps: [
      { calls: [{ tool: 'Read', input: { file_path: 'b.txt' } }] },
      { calls: [{ tool: 'Read', input: { file_path: 'closed/c.txt' } }] },
      { say: 'Done.' },
    ],
  })
  expect(said('permission.decided').map(({ decision }) => decision.behavior)).toEqual(['allow', 'deny'])
})

test('a crashed life is followed by one that finds its files, on a branch of its own', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  const { result, said, tree } = await play({
    cwd,
    worker: { executor: 'process' },
    mode: 'bypassPermissions',
    steps: [
      { calls: [{ tool: 'Write', input: { file_path: 'new.txt', content: 'new\n' } }] },
      { calls: [bash('kill -9 $PPID')] },
      { calls: [{ tool: 'Read', input: { file_path: 'new.txt' } }] },
      { say: 'It is there.' },
    ],
  })
  expect(said('worktree.opened').map(({ branch }) => branch.split('/').at(-1))).toEqual(['1', '2'])
  expect(result.status).toBe('completed')
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: tree, encoding: 'utf8' })).toBe('?? new.txt\n')
})
