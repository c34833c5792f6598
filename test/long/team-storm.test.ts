import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { teamStorm } from '../chaos/team-storm.ts'

const small = { workers: 2, rounds: 2, turns: 2, kills: 2, leaderKills: 2 } as const
const untouched = {
  lost: 0,
  duplicated: 0,
  effects_doubled: 0,
  effects_missing: 0,
  answers_differing: 0,
  leftover: { processes: 0, panes: 0, locks: 0, worktrees: 0, watchers: 0, sockets: 0 },
  flaws: [],
}

test('whoever is killed, the answer is the undisturbed one and nothing is lost, runs twice or stays', async () => {
  const after = await teamStorm({ ...small, seed: 7, executors: ['process', 'in-process'], isolation: 'none' })
  expect(after).toMatchObject(untouched)
  expect(after.worker_kills + after.leader_kills).toBeGreaterThan(0)
}, 180_000)

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: no storm over workers in tmux, tmux is not installed')

test.skipIf(!hasTmux)(
  'the same for workers in panes, each with a worktree of its own',
  async () => {
    const after = await teamStorm({ ...small, seed: 3, executors: ['tmux'], isolation: 'worktree' })
    expect(after).toMatchObject(untouched)
  },
  180_000,
)
