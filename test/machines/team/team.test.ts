import { describe, expect, test } from 'vitest'
import { terminalReasons } from '../../../src/protocol/conversation/agent-event.ts'
import {
  abort,
  addressed,
  busy,
  crashed,
  gone,
  idled,
  inputOf,
  leadEnded,
  owing,
  quiet,
  settled,
  start,
  stop,
  woke,
} from '../support/team-news.ts'
import { started, working, withWriter } from '../support/team-world.ts'
import { childrenOf } from '../support/walk.ts'

describe('a run', () => {
  test('ends completed when everybody is quiet, with the answer of its lead', async () => {
    const { world, send, settle, snapshot, lines, told, dropped } = await withWriter()
    world.survey = quiet
    send(idled('lead'))
    await settle()
    expect(snapshot().output).toEqual({
      status: 'completed',
      reason: 'completed',
      result: 'The answer.',
      afterwards: [],
    })
    expect(told.slice(2)).toEqual([
      'terminate {"member":"lead","reason":"completed"}',
      'terminate {"member":"writer","reason":"completed"}',
    ])
    expect(lines()).toEqual([
      'member.spawned lead 1',
      'member.spawned writer 1',
      'team.ended completed completed The answer.',
    ])
    expect(dropped).toEqual([])
    expect(childrenOf(snapshot())).toEqual([])
  })

  test('waits until everybody has left, by going or by being terminated', async () => {
    const { world, send, settle, state, lines } = await withWriter()
    world.terminate = () => new Promise(() => {})
    send(abort)
    await settle()
    expect(state()).toBe('ending.emptying')
    send(gone('lead'))
    expect(state()).toBe('ending.emptying')
    send(crashed('writer'))
    expect(state()).toBe('ended')
    expect(lines().slice(2)).toEqual(['member.crashed writer boom', 'team.ended aborted aborted null'])
  })

  test('goes on ending when a termination fails, and says so', async () => {
    const { world, send, settle, lines } = await working()
    world.terminate = () => Promise.reject(new Error('no such process'))
    send(abort)
    await settle()
    expect(lines().slice(1)).toEqual([
      'warning.raised terminate_failed lead was not terminated: no such process',
      'team.ended aborted aborted null',
    ])
  })

  test('has no answer unless it completed', async () => {
    const { send, settle, snapshot } = await working()
    send(leadEnded('failed'))
    await settle()
    expect(snapshot().output).toEqual({ status: 'failed', reason: 'failed', result: null, afterwards: [] })
  })

  test('fails when its answer cannot be read', async () => {
    const { world, send, settle, lines } = await working()
    world.survey = quiet
    world.collect = () => Promise.reject(new Error('journal torn'))
    send(idled('lead'))
    await settle()
    expect(lines().at(-1)).toBe('team.ended failed collect: journal torn null')
  })

  test('ends at its deadline, not a moment before', async () => {
    const { clock, settle, state, lines } = await working()
    clock.increment(4_999)
    expect(state()).toBe('running.working')
    clock.increment(1)
    await settle()
    expect(lines().at(-1)).toBe('team.ended budget minutes The answer.')
  })

  test('the deadline counts from the time of the start', async () => {
    const { clock, send, settle, state } = started()
    send({ type: 'start', at: 4_000 })
    await settle()
    clock.increment(999)
    expect(state()).toBe('running.working')
    clock.increment(1)
    expect(state()).toBe('ending.emptying')
  })

  test('without a deadline it goes on', async () => {
    const { clock, state } = await working(inputOf({ deadline: null }))
    clock.increment(1_000_000)
    expect(state()).toBe('running.working')
  })

  test('each way in which a lead can end', async () => {
    const endings = terminalReasons.map(async (reason) => {
      const { send, settle, lines } = await working()
      send(leadEnded(reason))
      await settle()
      return [reason, lines().slice(1)]
    })
    const ended = (status: string, reason: string) => [`team.ended ${status} ${reason} null`]
    expect(Object.fromEntries(await Promise.all(endings))).toEqual({
      completed: [],
      verified: [],
      diminishing_returns: [],
      cut: ['team.ended failed cut The answer.'],
      no_answer: ['team.ended failed no_answer The answer.'],
      max_turns: ended('failed', 'max_turns'),
      aborted_streaming: ended('aborted', 'aborted_streaming'),
      aborted_tools: ended('aborted', 'aborted_tools'),
      stop_hook_prevented: ended('failed', 'stop_hook_prevented'),
      budget_exhausted: ['team.ended budget budget_exhausted The answer.'],
      prompt_too_long: ended('failed', 'prompt_too_long'),
      loop_detected: ended('failed', 'loop_detected'),
      failed: ended('failed', 'failed'),
    })
  })

  test('a budget that cut work short is how it ends, when its lead is finished', async () => {
    const { world, send, settle, lines } = await working()
    send({ type: 'budget.spent', what: 'usd', at: 20 })
    send({ type: 'gather.failed', reason: 'request_failed: r1', at: 20 })
    send({ type: 'budget.spent', what: 'turns', at: 20 })
    world.survey = quiet
    send(leadEnded('completed'))
    await settle()
    expect(lines().at(-1)).toBe('team.ended budget usd The answer.')
  })

  test('a refused permission ends it as such, whatever the lead made of it', async () => {
    for (const reason of ['aborted_tools', 'completed'] as const) {
      const { send, settle, lines } = await working()
      send(leadEnded(reason, { refused: true }))
      await settle()
      expect(lines().at(-1)).toBe('team.ended permission permission null')
    }
  })
})

describe('quiet', () => {
  test('a quiet run that owes something wakes its lead once, then has stalled', async () => {
    const { world, send, settle, state, lines, told } = await working()
    world.survey = owing
    send(idled('lead'))
    await settle()
    expect(state()).toBe('running.working')
    expect(told.slice(1)).toEqual(['nudge {"open":["r1"]}'])
    send(woke('lead'), idled('lead'))
    await settle()
    expect(lines().slice(1)).toEqual(['lead.nudged ["r1"]', 'team.ended failed stalled The answer.'])
  })

  test('a nudged run that did what it owed completes', async () => {
    const { world, send, settle, lines } = await working()
    world.survey = owing
    send(idled('lead'))
    await settle()
    world.survey = quiet
    send(idled('lead'))
    await settle()
    expect(lines().at(-1)).toBe('team.ended completed completed The answer.')
  })

  test('news that comes while the lead is nudged is surveyed afterwards', async () => {
    const { world, send, settle, state } = await working()
    const nudged = Promise.withResolvers<void>()
    world.nudge = () => nudged.promise
    world.survey = owing
    send(settled)
    await settle()
    expect(state()).toBe('running.nudging')
    send(idled('lead'))
    world.survey = quiet
    nudged.resolve()
    await settle()
    expect(state()).toBe('ended')
  })

  test.each([
    ['member.woke', woke('lead')],
    ['member.idled', idled('writer')],
    ['request.settled', settled],
    ['lead.ended', leadEnded('completed')],
  ])('a survey during which %s comes does not end the run', async (_, news) => {
    const { world, send, settle, state } = await working()
    world.survey = quiet
    send(settled)
    expect(state()).toBe('running.surveying')
    send(news)
    world.survey = busy
    await settle()
    expect(state()).toBe('running.working')
  })

  test('a member that is being started keeps the run going', async () => {
    const { world, send, settle, state } = await working()
    const up = Promise.withResolvers<void>()
    world.spawn = () => up.promise
    world.survey = quiet
    send(addressed('writer'))
    await settle()
    expect(state()).toBe('running.working')
    up.resolve()
    await settle()
    expect(state()).toBe('ended')
  })

  test('nothing is surveyed while everybody has been started and one is not up: no survey could tell anything', async () => {
    const { world, send, settle, state } = await working()
    const up = Promise.withResolvers<void>()
    send(addressed('writer'), addressed('reader'))
    await settle()
    world.spawn = () => up.promise
    send(addressed('clerk'))
    world.survey = quiet
    await settle()
    send(settled)
    expect(state()).toBe('running.working')
    up.resolve()
    await settle()
    expect(state()).toBe('ended')
  })

  test('while one is not up, mail for somebody absent is found all the same', async () => {
    const { world, send, settle, lines } = await working()
    world.spawn = () => new Promise(() => {})
    send(addressed('writer'))
    await settle()
    world.survey = { ...quiet, members: [{ name: 'reader', busy: false, undelivered: 1 }] }
    send(settled)
    await settle()
    expect(lines().slice(1)).toEqual(['member.spawned writer 1', 'member.spawned reader 1'])
  })

  test('a member whose mail was announced to nobody is started by the survey', async () => {
    const { world, send, settle, lines } = await working()
    world.survey = { ...quiet, members: [{ name: 'writer', busy: false, undelivered: 1 }] }
    send(settled)
    await settle()
    expect(lines().slice(1)).toEqual(['member.spawned writer 1'])
  })

  test('mail to a lost or stopped member keeps nobody waiting', async () => {
    for (const farewell of [crashed('reader'), stop('reader')]) {
      const { world, send, settle, state, lines } = await working()
      send(addressed('reader'))
      await settle()
      send(farewell)
      await settle()
      world.survey = { ...quiet, members: [{ name: 'reader', busy: true, undelivered: 2 }] }
      send(settled)
      await settle()
      expect(state()).toBe('ended')
      expect(lines().at(-1)).toBe('team.ended completed completed The answer.')
    }
  })

  test('a survey or a nudge that fails ends the run as failed', async () => {
    const { world, send, settle, lines } = await working()
    world.survey = owing
    world.nudge = () => Promise.reject(new Error('inbox full'))
    send(settled)
    await settle()
    expect(lines().at(-1)).toBe('team.ended failed nudge: inbox full null')

    const other = started()
    Object.defineProperty(other.world, 'survey', {
      get() {
        throw new Error('disk gone')
      },
    })
    other.send(start)
    await other.settle()
    expect(other.lines().at(-1)).toBe('team.ended failed survey: disk gone null')
    expect(other.errors).toEqual([])
  })
})
