import { expect, test } from 'vitest'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { replayRun } from '../../src/runtime/replay/replay-run.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { generatedRuns } from '../runtime/replay/generated-run.ts'

/** Facts that have to be among the runs, or the replay was not put to the test. */
const covered: readonly Entry['type'][] = [
  'team.resumed',
  'member.restarted',
  'model.retried',
  'context.compacted',
  'permission.requested',
  'hook.ran',
  'call.refused',
  'call.reused',
  'agent.parked',
  'gather.settled',
  'team.ended',
]

test('200 generated runs, half of them killed in the middle, are replayed as they were recorded', async () => {
  const seen = new Set<string>()
  let [runs, leaders] = [0, 0]
  for (let seed = 1; seed <= 100; seed += 1) {
    // One run at a time: the clock of each is a hurried one.
    for (const dir of await generatedRuns(seed)) {
      const { lives } = await replayRun(dir)
      const differing = lives.filter(({ difference }) => difference !== null)
      expect({
        seed,
        differing: differing.map(({ member, life, difference }) => ({ member, life, difference })),
      }).toEqual({
        seed,
        differing: [],
      })
      for (const { entry } of recordOfRun(dir).recorded) seen.add(entry.type)
      leaders += lives.filter(({ member }) => member === 'team').length
      runs += 1
    }
  }
  expect(runs).toBe(200)
  // A fork that was cut before its first leader heard anything has one life less.
  expect(leaders).toBeGreaterThan(250)
  expect(covered.filter((type) => !seen.has(type))).toEqual([])
})
