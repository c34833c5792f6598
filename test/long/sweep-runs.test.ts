import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { isAlive, ownProcess } from '../../src/adapters/process/liveness.ts'
import { lastLeader } from '../../src/runtime/runs/leader.ts'
import { runsRoot } from '../../src/runtime/runs/read-runs.ts'
import { gitIn, repositoryWith } from '../adapters/worktrees/repository.ts'
import { directoryWith, journalOf, onlyRun, start, troupe } from '../ui/cli/process/troupe.ts'

interface Scene {
  /** What the worker does, on the command line. */
  readonly command: string
  readonly executor?: string
  /** The program, and its word, at which the leader's cleanup is held. */
  readonly held?: readonly [program: string, word: string]
}

/** A repository with a team of a lead and one worker, ana, whose worktree nobody else has. */
function workshop(command: string, executor: string): string {
  const ana = {
    description: 'Works.',
    prompt: 'You work.',
    tools: ['Bash'],
    isolation: 'worktree',
    restart: 'never',
    executor,
  }
  const team = { name: 'crew', model: 'scripted/script.yaml', coordinator: { prompt: 'You lead.' }, workers: { ana } }
  const delegate = { tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }
  const work = { calls: [{ tool: 'Bash', input: { command } }] }
  const agents = {
    lead: { steps: [{ calls: [delegate] }, { say: 'Over.' }] },
    ana: { steps: [work, { say: 'Done.' }] },
  }
  return repositoryWith({ 'teams/crew.yaml': stringify(team), 'teams/script.yaml': stringify({ agents }) })
}

/** A program before the real one on the path, and outside of the project, that stands still at one word, and says that it does. */
function holding([program, word]: NonNullable<Scene['held']>): { path: string; reached: string } {
  const folder = directoryWith({})
  const reached = join(folder, 'reached')
  const wait = `echo $$ > ${reached}.tmp; mv ${reached}.tmp ${reached}; exec sleep 1000`
  const script = `#!/bin/sh\ncase " $* " in *" ${word} "*) ${wait};; esac\nPATH="\${PATH#*:}" exec ${program} "$@"\n`
  writeFileSync(join(folder, program), script)
  chmodSync(join(folder, program), 0o755)
  return { path: `${folder}:${process.env['PATH']}`, reached }
}

/** A run that has ended, and whose leader stands in the middle of its cleanup. */
async function atCleanup({ command, executor = 'process', held = ['git', 'status'] }: Scene) {
  const cwd = workshop(command, executor)
  const { path, reached } = holding(held)
  const env = { XDG_RUNTIME_DIR: join(cwd, '.troupe'), TMUX_TMPDIR: join(cwd, '.troupe') }
  const { child, ended } = start(cwd, ['run', 'crew', '--dangerously-skip-permissions'], { ...env, PATH: path })
  while (!existsSync(reached)) {
    if (child.exitCode !== null) throw new Error(JSON.stringify(await ended))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const still = Number(readFileSync(reached, 'utf8'))
  onTestFinished(() => void (isAlive(still, 0) && process.kill(still, 'SIGKILL')))
  const run = onlyRun(cwd)
  return {
    cwd,
    env,
    run,
    tree: join(cwd, '.troupe', 'worktrees', basename(run), 'ana'),
    sockets: () => readdirSync(join(cwd, '.troupe', 'troupe')),
    async kill() {
      child.kill('SIGKILL')
      process.kill(still, 'SIGKILL')
      await ended
    },
  }
}

const typesOf = (run: string) => journalOf(run, 'team').map(({ type }) => type)

describe('what a leader that was killed in its cleanup had left to do is done', () => {
  test('by whoever asks what runs here: worktree, branch and live sockets go, once', async () => {
    const { cwd, env, run, tree, sockets, kill } = await atCleanup({ command: 'kill -9 $PPID' })
    await kill()
    expect(typesOf(run).at(-1)).toBe('team.ended')
    expect(existsSync(tree)).toBe(true)
    expect(sockets()).toHaveLength(2)
    const { stderr } = await troupe(cwd, ['ps'], { env })
    expect(stderr).toContain(`removed the worktree of ana that ${basename(run)} had left`)
    expect(stderr).toContain(`removed the live sockets of team, ana that ${basename(run)} had left`)
    expect(existsSync(tree)).toBe(false)
    expect(gitIn(cwd, 'branch', '--format=%(refname:short)')).toBe('main')
    expect(sockets()).toEqual([])
    expect(lastLeader(run)?.released).toBe(true)
    expect(journalOf(run, 'team').at(-1)).toMatchObject({ type: 'worktree.closed', member: 'ana', kept: false })
    const before = typesOf(run)
    expect((await troupe(cwd, ['ps'], { env })).stderr).not.toContain('removed')
    expect(typesOf(run)).toEqual(before)
  })

  test('by the next run there, which says so in its journal', async () => {
    const { cwd, env, run, tree, kill } = await atCleanup({ command: 'true' })
    await kill()
    const member = join(run, 'members', 'ana.json')
    const dead = readFileSync(member, 'utf8')
    writeFileSync(member, JSON.stringify({ ...(JSON.parse(dead) as object), ...ownProcess() }))
    await troupe(cwd, ['ps'], { env })
    expect(existsSync(tree), 'is taken from a worker that lives').toBe(true)
    writeFileSync(member, dead)
    const { child, said, ended } = start(cwd, ['run', 'crew'], env)
    await said(`removed the worktree of ana that ${basename(run)} had left`)
    expect(existsSync(tree)).toBe(false)
    child.kill('SIGTERM')
    await ended
    const later = readdirSync(runsRoot(cwd)).find((name) => name !== basename(run)) ?? ''
    expect(journalOf(join(runsRoot(cwd), later), 'team')).toContainEqual(
      expect.objectContaining({ type: 'warning.raised', code: 'orphans' }) as unknown,
    )
  })

  test('by whoever stops it, although it had ended', async () => {
    const { cwd, env, run, tree, kill } = await atCleanup({ command: 'true' })
    await kill()
    await troupe(cwd, ['stop', basename(run)], { env })
    expect(existsSync(tree)).toBe(false)
    expect(typesOf(run).filter((type) => type === 'team.ended')).toHaveLength(1)
  })

  test('but work that is only there stays, and is said once', async () => {
    const { cwd, env, run, tree, kill } = await atCleanup({ command: 'echo new > new.txt' })
    await kill()
    const { stderr } = await troupe(cwd, ['runs', 'ls'], { env })
    expect(stderr).toContain(`the worktree of ana that ${basename(run)} had left holds work`)
    expect(readFileSync(join(tree, 'new.txt'), 'utf8')).toBe('new\n')
    expect((await troupe(cwd, ['runs', 'ls'], { env })).stderr).not.toContain('worktree')
  })

  test('and the tmux server of its panes', async () => {
    const held = ['tmux', 'kill-server'] as const
    const { cwd, env, run, kill } = await atCleanup({ command: 'true', executor: 'tmux', held })
    await kill()
    const server = ['-L', `troupe-${run.slice(-10).toLowerCase()}`]
    const options = { env: { ...env, PATH: process.env['PATH'] } }
    execFileSync('tmux', [...server, '-f', '/dev/null', 'new-session', '-d', '-s', 'left', 'sleep 1000'], options)
    const { stderr } = await troupe(cwd, ['ps'], { env })
    expect(stderr).toContain(`closed the tmux server that ${basename(run)} had left`)
    expect(spawnSync('tmux', [...server, 'list-sessions'], options).status).not.toBe(0)
    expect(readdirSync(join(cwd, '.troupe', `tmux-${process.getuid?.()}`))).toEqual([])
  })
})

test('a leader that lives does its cleanup itself', async () => {
  const { cwd, env, run, tree, sockets, kill } = await atCleanup({ command: 'true' })
  const before = journalOf(run, 'team')
  expect((await troupe(cwd, ['ps', '--all'], { env })).stderr).toBe('')
  expect(existsSync(tree)).toBe(true)
  expect(sockets()).toHaveLength(1)
  expect(journalOf(run, 'team')).toEqual(before)
  await kill()
})
