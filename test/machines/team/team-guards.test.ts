import { describe, expect, test } from 'vitest'
import { crashed, gone, idled, inputOf, quiet, start, stop, woke } from '../support/team-news.ts'
import { started, working } from '../support/team-world.ts'

const mailFor = (...names: readonly string[]) => ({
  ...quiet,
  members: names.map((name) => ({ name, busy: false, undelivered: 1 })),
})
const addressed = (member: string, by?: string, at = 10) =>
  ({ type: 'member.addressed', member, at, ...(by === undefined ? {} : { by }) }) as const
const spawned = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('coordinator'))

describe('limits on starting members', () => {
  test('starts in all: the lead counts, and so does who is started again', async () => {
    const { send, settle, lines, snapshot } = await working(inputOf({ bounds: { agents: 3 } }))
    send(addressed('writer'))
    await settle()
    send(crashed('writer'))
    await settle()
    send(addressed('reader'))
    expect(spawned(lines())).toEqual([
      'member.spawned lead 1',
      'member.spawned writer 1',
      'member.crashed writer boom',
      'member.spawned writer 2',
      'member.refused reader agents 3 starts of members are all that budget.agents allows',
    ])
    expect(snapshot().context.lives['reader']?.state).toBe('stopped')
  })

  test('a crashed member that may not be started again is not', async () => {
    const { send, settle, lines } = await working(inputOf({ bounds: { agents: 2 } }))
    send(addressed('writer'))
    await settle()
    send(crashed('writer'))
    expect(lines().slice(2)).toEqual([
      'member.crashed writer boom',
      'member.refused writer agents 2 starts of members are all that budget.agents allows',
    ])
  })

  test('within a minute, and no longer', async () => {
    const { send, settle, lines } = await working(inputOf({ bounds: { rate: 2 }, deadline: null }))
    send(addressed('writer', undefined, 1))
    await settle()
    send(addressed('reader', undefined, 59_999), addressed('reader', undefined, 60_000))
    expect(lines().slice(2)).toEqual([
      'member.refused reader rate 2 members were started within the last minute (limits.rate)',
      'member.spawned reader 1',
    ])
  })

  test('by whom: each start is one further from the lead, and mail from outside counts as its own', async () => {
    const { send, settle, lines } = await working(inputOf({ bounds: { depth: 2 } }))
    send(addressed('writer', 'lead'))
    await settle()
    send(addressed('reader', 'writer'))
    await settle()
    send(addressed('clerk', 'reader'), addressed('clerk', 'user'))
    expect(lines().slice(1)).toEqual([
      'member.spawned writer 1',
      'member.spawned reader 1 2',
      'member.refused clerk depth it would be 3 starts away from the coordinator, 2 are allowed (limits.depth)',
      'member.spawned clerk 1',
    ])
  })

  test('nobody is started when the budget is used up, the lead excepted', async () => {
    const { send, settle, lines } = await working()
    send({ type: 'budget.spent', what: 'usd', at: 10 }, addressed('writer'), crashed('lead'))
    await settle()
    expect(lines().slice(1)).toEqual([
      'member.refused writer budget the budget of the run is used up (usd)',
      'member.crashed lead boom',
      'member.spawned lead 2',
    ])
  })

  test('at the same time: who has to wait is started when somebody has come to rest', async () => {
    const { world, send, settle, lines, state } = await working(inputOf({ bounds: { concurrency: 1 } }))
    send(addressed('writer'), addressed('reader'))
    await settle()
    expect(lines().slice(1)).toEqual(['member.spawned writer 1'])
    world.survey = mailFor('reader')
    send(idled('writer'))
    await settle()
    expect(lines().slice(2)).toEqual(['member.spawned reader 1'])
    expect(state()).toMatch(/^running/)
  })

  test('one that rested and is at work again takes its place', async () => {
    const { world, send, settle, lines } = await working(inputOf({ bounds: { concurrency: 1 } }))
    send(addressed('writer'))
    await settle()
    world.survey = mailFor('reader')
    send(idled('writer'), woke('writer'))
    await settle()
    expect(lines().slice(2)).toEqual([])
    send(idled('writer'))
    await settle()
    expect(lines().slice(2)).toEqual(['member.spawned reader 1'])
  })

  test('one that was stopped, and called back, waits like the others', async () => {
    const { world, send, settle, lines } = await working(inputOf({ bounds: { concurrency: 1 } }))
    send(addressed('writer'))
    await settle()
    world.terminate = () => new Promise(() => {})
    send(stop('writer'), addressed('writer'), gone('writer'), addressed('reader'), addressed('writer'))
    expect(lines().slice(2)).toEqual(['member.stopped writer lead enough', 'member.spawned writer 2'])
  })

  test('whoever ran when the leader died is taken up again, and counts from before', async () => {
    const life = {
      restart: 'on-crash',
      attempt: 2,
      crashes: [],
      failedStarts: 0,
      at: 0,
      depth: 3,
      fresh: false,
      stop: null,
      state: 'absent',
    } as const
    const lives = Object.fromEntries(['lead', 'writer'].map((name) => [name, { name, ...life }]))
    const earlier = { lives, recalled: ['lead', 'writer'], nudged: false, spent: null }
    const { send, settle, lines } = started(inputOf({ bounds: { agents: 2, rate: 1 }, earlier }))
    send(start)
    await settle()
    send(addressed('reader'))
    expect(lines()).toEqual([
      'member.spawned lead 3',
      'member.spawned writer 3 3',
      'member.refused reader agents 2 starts of members are all that budget.agents allows',
    ])
  })
})
