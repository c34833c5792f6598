import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { lastFactBy } from '../../../src/runtime/replay/last-fact.ts'
import { openPlayer } from '../../../src/runtime/replay/play-run.ts'
import { handClock } from '../../support/hand-clock.ts'

const began = Date.UTC(2026, 2, 1, 14)
const facts = [0, 1_000, 1_000, 500, 61_000].map((ms, index): Recorded => ({
  owner: 'lead',
  entry: { v: 1, seq: index + 1, id: `lead-${index + 1}`, parent: null, at: began + ms, type: 'member.woke' },
}))

function playing(speed: number) {
  const clock = handClock()
  const player = openPlayer(facts, { speed, clock })
  const heard: string[] = []
  const stop = player.play({
    recorded: (batch) => heard.push(batch.map(({ entry }) => entry.id).join()),
    stand: ({ pending }) => expect(pending).toEqual([]),
  })
  return { clock, player, heard, stop }
}

test('the facts of a run are told as time goes, so many times faster', () => {
  const { clock, player, heard } = playing(10)
  expect(heard).toEqual(['lead-1'])
  clock.pass(99)
  expect(player.state()).toEqual({ shown: 1, total: 5, speed: 10, paused: false, at: began, entry: 'lead-1' })
  clock.pass(1)
  // A clock that was set back costs no time.
  expect(heard).toEqual(['lead-1', 'lead-2,lead-3,lead-4'])
  clock.pass(6_049)
  expect(player.state().shown).toBe(4)
  clock.pass(1)
  expect(player.state()).toMatchObject({ shown: 5, entry: 'lead-5' })
  expect(clock.open()).toBe(0)
})

test('a person pauses, takes one step, and changes the speed', () => {
  const { clock, player, heard, stop } = playing(1)
  player.act('pause')
  clock.pass(3_600_000)
  expect(heard).toEqual(['lead-1'])
  player.act('step')
  expect(heard).toEqual(['lead-1', 'lead-2'])
  expect(player.state()).toMatchObject({ paused: true, shown: 2 })
  player.act('pause')
  expect(heard).toEqual(['lead-1', 'lead-2', 'lead-3,lead-4'])
  for (const act of ['faster', 'faster', 'faster'] as const) player.act(act)
  expect(player.state().speed).toBe(10)
  player.act('slower')
  expect(player.state().speed).toBe(5)
  clock.pass(12_000)
  expect(player.state().shown).toBe(4)
  stop()
  clock.pass(12_000)
  expect(player.state().shown).toBe(4)
  expect(clock.open()).toBe(0)
})

test.for([
  ['lead-3', 3],
  ['1s', 4],
  ['500ms', 4],
  ['2m', 5],
  ['0s', 1],
  ['2026-03-01T14:00:02Z', 4],
  ['2026-03-01 15:01:30+01:00', 5],
  ['2026-03-01T13:00:00Z', 0],
  ['lead-9', null],
  ['soon', null],
  ['2026-03-01', null],
] as const)('"%s" is a moment of a run, or none', ([until, number]) => {
  expect(lastFactBy(facts, until)).toBe(number)
})
