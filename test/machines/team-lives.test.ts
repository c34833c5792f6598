import { describe, expect, test } from 'vitest'
import { abort, addressed, crashed, gone, inputOf, start, stop } from './support/team-news.ts'
import { started, working, withWriter } from './support/team-world.ts'
import { childrenOf } from './support/walk.ts'

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

  test('a start that fails is a crash', async () => {
    const { world, send, settle, lines, snapshot } = await working()
    world.spawn = () => Promise.reject(new Error('no pane'))
    send(addressed('writer'))
    await settle()
    expect(lines().slice(1)).toEqual([
      'member.spawned writer 1',
      'member.crashed writer no pane',
      'member.spawned writer 2',
      'member.crashed writer no pane',
      'member.lost writer no pane',
    ])
    expect(childrenOf(snapshot())).toEqual([])
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
    expect(told.slice(3)).toEqual(['spawn {"member":"writer","attempt":2}'])
  })

  test('a worker that is wanted again while it stops starts again once it is gone', async () => {
    const { world, send, settle, told } = await withWriter()
    world.terminate = () => new Promise(() => {})
    send(stop('writer'), addressed('writer'))
    await settle()
    expect(told).toHaveLength(3)
    send(gone('writer'))
    await settle()
    expect(told.slice(3)).toEqual(['spawn {"member":"writer","attempt":2}'])
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
