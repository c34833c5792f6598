import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { restartMember } from '../../src/runtime/upkeep/restart-member.ts'
import { replayRun } from '../../src/runtime/replay/replay-run.ts'
import { stopMember } from '../../src/runtime/upkeep/stop-member.ts'
import { begin, delegate, forEver } from './support/restart-stage.ts'
import { factsOf } from './support/stage.ts'
import { factsBy } from './support/two-models.ts'

const executor = 'in-process'

describe('a worker', () => {
  test('that hangs in a command begins again with its conversation, and its task ends well', async () => {
    const { result, recorded, first, place } = await begin({
      executor,
      lead: [delegate, { expect: 'Half of it.', say: 'Done.' }],
      slow: [forEver, { expect: 'Find it.', say: 'Half of it.' }],
    })
    await first('call.started', 'slow')
    expect(await restartMember({ ...place, member: 'slow' })).toMatchObject({ member: 'slow', outcome: 'restarted' })
    expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
    expect((await replayRun(place.run)).lives.map(({ difference }) => difference).filter(Boolean)).toEqual([])
    expect(factsBy(recorded, 'team', 'member.restarted')).toMatchObject([{ member: 'slow', by: 'user' }])
    const starts = factsBy(recorded, 'team', 'member.spawned').filter(({ member }) => member === 'slow')
    expect(starts.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(factsOf(recorded, 'team')).not.toContain('member.crashed')
  })

  test('that was stopped comes back, and has not forgotten what it heard', async () => {
    const { result, recorded, first, place, cwd } = await begin({
      executor,
      lead: [
        delegate,
        { calls: [{ tool: 'Bash', input: { command: 'until [ -e back ]; do sleep 0.05; done' } }] },
        { say: 'Done.' },
      ],
      slow: [forEver],
    })
    await first('call.started', 'slow')
    expect(await stopMember({ ...place, member: 'slow', graceMs: 0 })).toMatchObject({ outcome: 'stopped' })
    expect(await restartMember({ ...place, member: 'slow' })).toMatchObject({ outcome: 'restarted' })
    writeFileSync(`${cwd}/back`, '')
    await result
    expect((await replayRun(place.run)).lives.map(({ difference }) => difference).filter(Boolean)).toEqual([])
    expect(factsOf(recorded, 'team')).not.toContain('member.crashed')
    expect(factsOf(recorded, 'slow')).not.toContain('member.renewed')
    expect(factsOf(recorded, 'slow').filter((type) => type === 'member.started')).toHaveLength(2)
    expect(factsBy(recorded, 'team', 'member.spawned').map(({ member }) => member)).toEqual(['lead', 'slow', 'slow'])
  })
})

test('the lead begins again, too; a stranger is nobody, and a run that nobody leads has nobody to ask', async () => {
  const { result, first, place } = await begin({
    executor: 'in-process',
    lead: [forEver, { say: 'Done.' }],
    slow: [],
  })
  await first('call.started', 'lead')
  await expect(restartMember({ ...place, member: 'slwo' })).rejects.toThrow('Did you mean "slow"?')
  expect(await restartMember({ ...place, member: 'lead' })).toMatchObject({ outcome: 'restarted' })
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
  expect((await replayRun(place.run)).lives.map(({ difference }) => difference).filter(Boolean)).toEqual([])
  await expect(restartMember({ ...place, member: 'slow' })).rejects.toThrow(
    /the run has ended: troupe continue \S+ "…"/,
  )
})
