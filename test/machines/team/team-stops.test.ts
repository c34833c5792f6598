import { describe, expect, test } from 'vitest'
import { addressed, crashed, ended, gone, restart, stays, stop } from '../support/team-news.ts'
import { withWriter } from '../support/team-world.ts'

const overdue = (at: number) => ({ type: 'member.overdue', member: 'writer', at }) as const
const terminated = 'terminate {"member":"writer","reason":"enough"}'

describe('a worker that is to stop', () => {
  test.each([
    ['is ended when its work is over', ended('writer'), [terminated], 'member.stopped writer lead enough'],
    ['is ended when the time is up', overdue(10_020), [terminated], 'member.stopped writer lead enough'],
    ['is left alone when it refuses', stays('writer'), [], 'stop.refused writer not yet'],
    ['is not started again when it crashes', crashed('writer'), [], 'member.stopped writer lead enough true'],
    ['may leave by itself', gone('writer'), [], 'member.stopped writer lead enough'],
    ['is ended at once when somebody insists', stop('writer'), [terminated], 'member.stopped writer lead enough'],
  ] as const)('%s', async (_, event, acts, last) => {
    const { send, settle, told, lines } = await withWriter()
    send(stop('writer', 10_000))
    await settle()
    expect(lines().at(-1)).toBe('stop.asked writer lead enough 10020')
    send(event)
    await settle()
    expect(told.slice(2)).toEqual(acts)
    expect(lines().at(-1)).toBe(last)
    expect(lines()).not.toContain('member.crashed writer boom')
  })

  test('is asked anew after a refusal, and the first time limit is forgotten', async () => {
    const { send, settle, told } = await withWriter()
    send(stop('writer', 1_000), stays('writer'), stop('writer', 10_000), overdue(1_020))
    await settle()
    expect(told.slice(2)).toEqual([])
    send(overdue(10_020))
    await settle()
    expect(told.slice(2)).toEqual([terminated])
  })

  test('hears what comes while it is asked, and is started anew by what comes after it is gone', async () => {
    const { send, settle, told } = await withWriter()
    send(stop('writer', 10_000), addressed('writer'), ended('writer'))
    await settle()
    expect(told.slice(2)).toEqual([terminated])
    send(addressed('writer'))
    await settle()
    expect(told.at(-1)).toBe('spawn {"member":"writer","attempt":2,"fresh":true}')
    send(crashed('writer'))
    await settle()
    expect(told.at(-1)).toBe('spawn {"member":"writer","attempt":3}')
  })

  test('is said to be stopped when it does not run', async () => {
    const { send, settle, lines, told } = await withWriter()
    send(stop('reader', 10_000))
    await settle()
    expect(lines().at(-1)).toBe('member.stopped reader lead enough')
    expect(told.slice(2)).toEqual([])
  })
})

describe('a worker that is to begin again', () => {
  const cut = 'terminate {"member":"writer","reason":"","cut":true}'
  const again = 'spawn {"member":"writer","attempt":2,"restarted":true}'

  test.each([
    ['is cut off and started with its conversation when it is gone', gone('writer')],
    ['is started when it ends as a process that was killed', crashed('writer')],
  ])('%s', async (_, end) => {
    const { send, settle, told, lines, world } = await withWriter()
    world.terminate = () => new Promise(() => undefined)
    send(restart('writer'), restart('writer'), addressed('writer'))
    await settle()
    expect(told.slice(2)).toEqual([cut])
    send(end)
    await settle()
    expect(told.slice(2)).toEqual([cut, again])
    expect(lines().slice(-2)).toEqual(['member.restarted writer user', 'member.spawned writer 2'])
  })

  test('comes back after a stop with its conversation', async () => {
    const { send, settle, told, lines } = await withWriter()
    send(stop('writer'))
    await settle()
    send(restart('writer'))
    await settle()
    expect(told.at(-1)).toBe(again)
    expect(lines().slice(-2)).toEqual(['member.restarted writer user', 'member.spawned writer 2'])
  })

  test('comes back when it was given up, and may crash as often as one that is new', async () => {
    const { send, settle, told, lines } = await withWriter()
    send(crashed('writer'), crashed('writer'))
    await settle()
    expect(lines().at(-1)).toBe('member.lost writer boom')
    send(restart('writer'))
    await settle()
    send(crashed('writer'))
    await settle()
    expect(told.at(-1)).toBe('spawn {"member":"writer","attempt":4}')
  })
})
