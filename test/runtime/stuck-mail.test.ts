import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { factsBy } from './support/two-models.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { play } from './support/stage.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
}
const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }
const script = { lead: { steps: [delegate, { say: 'Done.' }] }, ana: { steps: [{ say: 'Found.' }] } }

/** A clock that runs a hundred times as fast: the tries of a file are spaced by half a minute in all. */
function fastClock() {
  const clock = systemClock()
  const began = Date.now()
  const now = () => began + (Date.now() - began) * 100
  return { ...clock, now, setTimeout: (act: () => void, ms: number) => clock.setTimeout(act, ms / 100) }
}

/** What lies in a box that nobody can take. */
const obstacles: Readonly<Record<string, (box: string) => void>> = {
  'a name that is no UTF-8'(box) {
    mkdirSync(join(box, 'new'), { recursive: true })
    writeFileSync(Buffer.concat([Buffer.from(join(box, 'new/')), Buffer.of(0xff)]), 'x')
  },
  'a claim of another living process'(box) {
    const claim = join(box, 'cur', `${process.ppid}.0`)
    mkdirSync(claim, { recursive: true })
    writeFileSync(join(claim, 'lead-7-01J0000000000000000000000A.json'), '{}')
  },
  'an archive that takes nothing'(box) {
    mkdirSync(box, { recursive: true })
    writeFileSync(join(box, 'done'), 'no folder')
  },
  'a folder of dead letters that takes none'(box) {
    mkdirSync(join(box, 'new'), { recursive: true })
    writeFileSync(join(box, 'dead'), 'no folder')
    writeFileSync(join(box, 'new/lead-7-01J0000000000000000000000A.json'), 'no mail')
    writeFileSync(join(box, 'new/junk'), 'no mail')
  },
  'an entry that no rename moves'(box) {
    mkdirSync(join(box, 'new/odd/claims'), { recursive: true })
    rmSync(join(box, 'cur'), { recursive: true, force: true })
    symlinkSync(join(box, 'new/odd/claims'), join(box, 'cur'))
  },
}

describe.each(['lead', 'ana'])('in the box of %s', (name) => {
  test.each(Object.entries(obstacles))('%s: the run ends as without, and nobody runs in circles', async (_, put) => {
    const { run, recorded, result } = await play(team, script, { clock: fastClock() })
    run.subscribe(({ entry }) => {
      if (entry.type === 'member.spawned' && entry.member === 'lead') put(join(run.dir, 'mail', name))
    })
    expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
    expect(factsBy(recorded, name, 'member.woke').length).toBeLessThan(12)
    expect(factsBy(recorded, name, 'member.crashed')).toEqual([])
  })
})

test('a member that can take in no mail at all is started again as often as any that fails, then given up', async () => {
  const { run, recorded, result } = await play(
    { ...team, coordinator: { ...team.coordinator, gather: { on_failure: { retry: 0 } } } },
    { ...script, lead: { steps: [delegate, { say: 'Without ana.' }] } },
    { clock: fastClock() },
  )
  run.subscribe(({ entry }) => {
    if (entry.type !== 'member.spawned' || entry.member !== 'lead') return
    mkdirSync(join(run.dir, 'mail/ana'), { recursive: true })
    writeFileSync(join(run.dir, 'mail/ana/cur'), 'no folder')
  })
  expect(await result).toMatchObject({ status: 'failed', reason: expect.stringContaining('ana') as string })
  expect(recorded.filter(({ entry }) => entry.type === 'member.lost')).toMatchObject([{ entry: { member: 'ana' } }])
  expect(recorded.filter(({ entry }) => entry.type === 'member.crashed').length).toBeLessThan(10)
})
