import { expect, test } from 'vitest'
import { restartMember } from '../../src/runtime/upkeep/restart-member.ts'
import { replayRun } from '../../src/runtime/replay/replay-run.ts'
import { begin, delegate, forEver } from '../runtime/support/restart-stage.ts'
import { factsOf } from '../runtime/support/stage.ts'

test('a worker in a process of its own begins again with its conversation, and its task ends well', async () => {
  const { result, recorded, first, place } = await begin({
    executor: 'process',
    lead: [delegate, { expect: 'Half of it.', say: 'Done.' }],
    slow: [forEver, { expect: 'Find it.', say: 'Half of it.' }],
  })
  await first('call.started', 'slow')
  expect(await restartMember({ ...place, member: 'slow' })).toMatchObject({ outcome: 'restarted' })
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
  expect((await replayRun(place.run)).lives.map(({ difference }) => difference).filter(Boolean)).toEqual([])
  expect(factsOf(recorded, 'slow')).not.toContain('member.renewed')
  expect(factsOf(recorded, 'team')).not.toContain('member.crashed')
})
