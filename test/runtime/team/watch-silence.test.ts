import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { supervisionPolicy } from '../../../src/protocol/team/supervision.ts'
import { broadcast } from '../../../src/runtime/actors/broadcast.ts'
import { noPast } from '../../../src/runtime/runs/earlier-run.ts'
import type { Delta } from '../../../src/runtime/agent/agent-deps.ts'
import { watchSilence } from '../../../src/runtime/team/watch-silence.ts'

/** A team's facts on a clock that the test moves; a member is said to hang after 100. */
function world() {
  const facts = broadcast<Recorded>()
  const deltas = broadcast<Delta>()
  const timers = new Map<number, { at: number; fn: () => void }>()
  const said: Fact[] = []
  let [now, next, seq] = [0, 0, 0]
  const clock = {
    now: () => now,
    mint: () => '',
    setTimeout(fn: () => void, ms: number) {
      timers.set(next, { at: now + ms, fn })
      return next++
    },
    clearTimeout: (id: unknown) => void timers.delete(id as number),
  }
  const stop = watchSilence(
    { clock, facts, deltas, earlier: noPast },
    { silenceMs: 100, record: (more) => said.push(...more) },
  )
  const publish = (owner: string, fact: object): void =>
    facts.publish({ owner, entry: { v: 1, seq: (seq += 1), id: `${seq}`, parent: null, at: now, ...fact } } as Recorded)
  return {
    timers,
    said,
    stop,
    stir: (member: string) => deltas.publish({ member, type: 'text', text: 'x' }),
    say: (owner: string, type: string, more: object = {}) => publish(owner, { type, ...more }),
    tell: (type: string, member: string) => publish('team', { type, member }),
    pass(ms: number) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at)[0]
        if (!due) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].fn()
      }
      now = end
    },
  }
}

test('a busy member of whom nothing is heard is named, once', () => {
  const { say, pass, said } = world()
  say('ana', 'member.woke')
  pass(60)
  say('ana', 'call.started', { call_id: 'c' })
  pass(99)
  expect(said).toEqual([])
  pass(1)
  expect(said).toEqual([{ type: 'member.hung', member: 'ana', last: 'call.started', silent_ms: 100 }])
  pass(1_000)
  expect(said).toHaveLength(1)
})

test('whoever says anything may hang again', () => {
  const { say, pass, said } = world()
  say('ana', 'member.woke')
  pass(150)
  say('ana', 'model.requested')
  pass(150)
  expect(said.map((fact) => 'last' in fact && fact.last)).toEqual(['member.woke', 'model.requested'])
})

test.each([
  ['is idle', (it: ReturnType<typeof world>) => it.say('ana', 'member.idled')],
  ['has left', (it: ReturnType<typeof world>) => it.say('ana', 'member.gone')],
  ['has crashed', (it: ReturnType<typeof world>) => it.tell('member.crashed', 'ana')],
  ['is parked', (it: ReturnType<typeof world>) => it.say('ana', 'agent.parked')],
  ['pauses for its model', (it: ReturnType<typeof world>) => it.say('ana', 'model.paused')],
  ['waits for approval', (it: ReturnType<typeof world>) => it.say('ana', 'permission.requested', { call_id: 'c' })],
])('one that %s does not hang', (_, happens) => {
  const it = world()
  it.say('ana', 'member.woke')
  happens(it)
  it.pass(1_000)
  expect(it.said).toEqual([])
})

test('an approval ends the waiting', () => {
  const { say, pass, said } = world()
  say('ana', 'member.woke')
  say('ana', 'permission.requested', { call_id: 'c' })
  pass(500)
  say('ana', 'permission.decided', { call_id: 'c' })
  pass(100)
  expect(said).toMatchObject([{ member: 'ana', last: 'permission.decided' }])
})

test('nobody is looked after while nobody is busy, and not after the end', () => {
  const { say, pass, timers, stop } = world()
  expect(timers.size).toBe(0)
  say('ana', 'member.woke')
  say('ana', 'member.idled')
  pass(100)
  expect(timers.size).toBe(0)
  say('ana', 'member.woke')
  expect(timers.size).toBe(1)
  stop()
  expect(timers.size).toBe(0)
})

test('a member whose output still comes stalls, and is not called silent', () => {
  const { say, stir, pass, said } = world()
  say('ana', 'member.woke')
  pass(70)
  stir('ana')
  pass(30)
  expect(said).toEqual([{ type: 'member.hung', member: 'ana', last: 'member.woke', silent_ms: 100, stirred_ms: 30 }])
})

test('by default a member is named before its round is over', () => {
  expect(supervisionPolicy({}, 600_000).silence_ms).toBe(300_000)
  expect(supervisionPolicy({}, 86_400_000).silence_ms).toBe(900_000)
  expect(supervisionPolicy({ silence: '2m' }, 600_000).silence_ms).toBe(120_000)
})
