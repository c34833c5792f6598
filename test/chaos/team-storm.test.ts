import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { teamStorm } from './team-storm.ts'

test('whoever is killed, the answer is the undisturbed one and nothing runs twice or stays', async () => {
  const storm = { seed: 7, executor: 'process', workers: 2, turns: 6, leaders: 3 } as const
  const { answer, expected, repeated, doubled, left } = await teamStorm(storm)
  expect(answer).toBe(expected)
  expect({ repeated, doubled, left }).toEqual({ repeated: [], doubled: 0, left: [] })
}, 180_000)

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: no storm over workers in tmux, tmux is not installed')

test.skipIf(!hasTmux)(
  'the same for workers in panes',
  async () => {
    const { answer, expected, repeated, doubled, left } = await teamStorm({
      seed: 3,
      executor: 'tmux',
      workers: 1,
      turns: 4,
      leaders: 2,
    })
    expect(answer).toBe(expected)
    expect({ repeated, doubled, left }).toEqual({ repeated: [], doubled: 0, left: [] })
  },
  180_000,
)
