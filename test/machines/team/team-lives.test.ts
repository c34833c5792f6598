import { describe, expect, test } from 'vitest'
import { abort, addressed, crashed, gone, inputOf, quiet, settled, start, stop } from '../support/team-news.ts'
import { started, working, withWriter } from '../support/team-world.ts'
import { childrenOf } from '../support/walk.ts'

const patient = inputOf({ intensity: { max: 3, within_ms: 3_000 }, deadline: null })

describe('lives', () => {
  test('the first message starts a member, the second does not', async () => {
    const { send, settle, told } = await working()
    send(addressed('writer'), addressed('writer'))
    await settle()
    send(addressed('writer'))
    await settle()
    expect(told).toEqual(['spawn {"member":"lead","attempt":1}', 'spawn {"member":"writer","attempt":1}'])
  })

  test('a crashed member is started again until the intensity forbids it', async () => {
    const { send, settle, lines, state } = await withWriter()
    send(crashed('writer', 100))
    await settle()
    send(crashed('writer', 200))
    await settle()
    expect(state()).toBe('running.working')
    expect(lines().slice(2)).toEqual([
      'member.crashed writer boom',
      'member.spawned writer 2',
      'member.crashed writer boom',
      'member.lost writer boom',
    ])
  })

  test('crashes far apart are forgiven', async () => {
    const { send, settle, lines } = await withWriter()
    send(crashed('writer', 100))
    await settle()
    send(crashed('writer', 1_100))
    await settle()
    expect(lines().at(-1)).toBe('member.spawned writer 3')
  })

  test('a start that fails is a crash, and is tried again after a while until it is given up', async () => {
    const { world, send, settle, lines, snapshot, clock } = await working(patient)
    world.spawn = () => Promise.reject(new Error('no pane'))
    send(addressed('writer'))
    await settle()
    const attempts = (): number => lines().filter((line) => line.startsWith('member.spawned writer')).length
    for (const [before, delay] of [500, 1_000, 2_000].map((ms, n) => [n + 1, ms] as const)) {
      clock.increment(delay - 1)
      await settle()
      expect(attempts()).toBe(before)
      clock.increment(1)
      await settle()
      expect(attempts()).toBe(before + 1)
    }
    expect(lines().slice(-2)).toEqual(['member.crashed writer no pane', 'member.lost writer no pane'])
    expect(childrenOf(snapshot())).toEqual([])
  })

  test('attempts that came to nothing are forgotten when one succeeds', async () => {
    const { world, send, settle, lines, clock } = await working(patient)
    world.spawn = ({ attempt }) => (attempt % 2 === 1 ? Promise.reject(new Error('no pane')) : Promise.resolve())
    send(addressed('writer'))
    await settle()
    clock.increment(500)
    await settle()
    send(crashed('writer', 5_000))
    await settle()
    clock.increment(499)
    await settle()
    expect(lines().at(-1)).toBe('member.crashed writer no pane')
    clock.increment(1)
    await settle()
    expect(lines().at(-1)).toBe('member.spawned writer 4')
  })

  test('a member that waits for its next attempt keeps the run going, and leaves when it is told to', async () => {
    const { world, send, settle, told, state, clock } = await working(patient)
    world.spawn = () => Promise.reject(new Error('no pane'))
    send(addressed('writer'))
    world.survey = quiet
    await settle()
    send(settled, addressed('writer'))
    await settle()
    expect(state()).toBe('running.working')
    send(stop('writer'))
    await settle()
    clock.increment(10_000)
    await settle()
    expect(told.filter((line) => line.includes('writer'))).toEqual(['spawn {"member":"writer","attempt":1}'])
  })

  test('a lead that could not be started is tried again as well', async () => {
    const { world, send, settle, state, clock, lines } = started(patient)
    world.spawn = ({ attempt }) => (attempt === 1 ? Promise.reject(new Error('no disk')) : Promise.resolve())
    send(start)
    await settle()
    expect(state()).toBe('starting')
    clock.increment(500)
    await settle()
    expect(state()).toBe('running.working')
    expect(lines().at(-1)).toBe('member.spawned lead 2')
  })

  test('a run that is aborted meanwhile waits for nobody', async () => {
    const { world, send, settle, told, lines } = await working(patient)
    world.spawn = () => Promise.reject(new Error('no pane'))
    send(addressed('writer'))
    await settle()
    send(abort)
    await settle()
    expect(told.slice(2)).toEqual(['terminate {"member":"lead","reason":"aborted"}'])
    expect(lines().at(-1)).toBe('team.ended aborted aborted null')
  })

  test('a crash while it is being started counts once', async () => {
    const { world, send, settle, lines } = await working()
    const up = Promise.withResolvers<void>()
    world.spawn = () => up.promise
    send(addressed('reader'), crashed('reader'))
    up.reject(new Error('late'))
    await settle()
    expect(lines().slice(1)).toEqual([
      'member.spawned reader 1',
      'member.crashed reader boom',
      'member.lost reader boom',
    ])
  })

  test('mail for a lost member is reported', async () => {
    const { send, settle, lines } = await working()
    send(addressed('reader'))
    await settle()
    send(crashed('reader'), addressed('reader'))
    expect(lines().at(-1)).toBe('warning.raised member_absent reader is lost or unknown (addressed)')
  })

  test('without its lead the run has failed', async () => {
    const { send, settle, lines } = await working(inputOf({ intensity: { max: 0, within_ms: 1_000 } }))
    send(crashed('lead'))
    await settle()
    expect(lines().slice(1)).toEqual([
      'member.crashed lead boom',
      'member.lost lead boom',
      'team.ended failed lead_lost null',
    ])
  })

  test('a lead that cannot be started has failed too', async () => {
    const { world, send, settle, lines } = started(inputOf({ intensity: { max: 0, within_ms: 1_000 } }))
    world.spawn = () => Promise.reject(new Error('budget'))
    send(start)
    await settle()
    expect(lines().at(-1)).toBe('team.ended failed lead_lost null')
  })

  test('a stopped worker stays away until mail calls it back', async () => {
    const { send, settle, told } = await withWriter()
    send(stop('writer'))
    await settle()
    expect(told.slice(2)).toEqual(['terminate {"member":"writer","reason":"enough"}'])
    send(addressed('writer'))
    await settle()
    expect(told.slice(3)).toEqual(['spawn {"member":"writer","attempt":2,"fresh":true}'])
  })

  test('a worker that is wanted again while it stops starts again once it is gone', async () => {
    const { world, send, settle, told } = await withWriter()
    world.terminate = () => new Promise(() => {})
    send(stop('writer'), addressed('writer'))
    await settle()
    expect(told).toHaveLength(3)
    send(gone('writer'))
    await settle()
    expect(told.slice(3)).toEqual(['spawn {"member":"writer","attempt":2,"fresh":true}'])
  })

  test('a member that leaves by itself starts again only when it always should', async () => {
    const { send, settle, told } = await withWriter()
    send(addressed('clerk'))
    await settle()
    send(gone('writer'), gone('clerk'))
    await settle()
    expect(told.slice(3)).toEqual(['spawn {"member":"clerk","attempt":2}'])
  })

  test('an abort while a member is being started takes it along', async () => {
    const { world, send, settle, told, state } = await working()
    let isGivenUp = false
    world.spawn = () => new Promise(() => {})
    send(addressed('writer'))
    send(abort)
    await settle()
    isGivenUp = state() === 'ended'
    expect(isGivenUp).toBe(true)
    expect(told.slice(2)).toEqual([
      'terminate {"member":"lead","reason":"aborted"}',
      'terminate {"member":"writer","reason":"aborted"}',
    ])
  })
})
