import { describe, expect, test } from 'vitest'
import { verify } from '../support/agent-samples.ts'
import { abort, born, outcome, prompt, rang, says, shutdown, steer, wake } from '../support/member-world.ts'
import { childrenOf } from '../support/walk.ts'

const idle = async () => {
  const member = born()
  await member.settle()
  expect(member.state()).toBe('living.idle')
  return member
}

const busy = async () => {
  const member = await idle()
  member.send(prompt('Go.'))
  expect(member.state()).toBe('living.busy')
  return { ...member, since: () => member.told.slice(1) }
}

const work = (more: object): string =>
  `work ${JSON.stringify({ agent: 'writer', model: 'scripted/notes', limits: { max_turns: 3 }, hooked: false, ...more })}`

describe('work', () => {
  test('a prompt is worked on, answered for, and followed by rest', async () => {
    const { send, settle, agent, world, told, lines, state, dropped } = await idle()
    world.reply = () =>
      Promise.resolve({
        replied: [
          { request: 'r1', mail_id: 'm1' },
          { request: 'r2', mail_id: 'm2' },
        ],
      })
    send(prompt('Go.'))
    agent().send({ type: 'finish', output: outcome({ reason: 'max_turns' }) })
    await settle()
    expect(state()).toBe('living.idle')
    expect(told).toEqual([work({ prompt: says('Go.') }), 'reply max_turns'])
    expect(lines()).toEqual([
      'member.started i1 in-process 7',
      'member.idled nothing_to_do',
      'member.woke',
      'member.replied r1 m1',
      'member.replied r2 m2',
      'member.idled nothing_to_do',
    ])
    expect(dropped).toEqual([])
  })

  test('mail is worked on without a prompt', async () => {
    const { bell, world, settle, state, told } = await idle()
    world.unread = () => Promise.resolve({ unread: 1 })
    bell.ring(rang())
    await settle()
    expect(state()).toBe('living.busy')
    expect(told).toEqual([work({})])
  })

  test('mail that comes while it replies is worked on before it rests', async () => {
    const { send, settle, agent, world, told, lines } = await idle()
    send(prompt('Go.'))
    world.unread = () => Promise.resolve({ unread: 1 })
    agent().send({ type: 'finish', output: outcome() })
    await settle()
    expect(told.slice(1)).toEqual(['reply completed', work({})])
    expect(lines().filter((line) => line === 'member.idled nothing_to_do')).toHaveLength(1)
  })

  test('a bell that rings while it looks makes it look again', async () => {
    const { bell, world, settle, state } = await idle()
    const looks: ((answer: { unread: number }) => void)[] = []
    world.unread = () => new Promise((resolve) => looks.push(resolve))
    bell.ring(rang())
    bell.ring(rang())
    looks[0]?.({ unread: 0 })
    await settle()
    expect(state()).toBe('living.checking')
    looks[1]?.({ unread: 0 })
    await settle()
    expect(state()).toBe('living.idle')
    expect(looks).toHaveLength(2)
  })

  test('work that its journal left open is taken up', async () => {
    const { settle, state } = born({}, Promise.resolve({ unread: 1 }))
    await settle()
    expect(state()).toBe('living.busy')
  })

  test('its agent learns what its card says of compaction and verification', async () => {
    const { send, settle, told } = born({ verify })
    await settle()
    send(prompt('Go.'))
    expect(told).toEqual([work({ verify, prompt: says('Go.') })])
  })

  test('prompts before it is open are worked on one after another', async () => {
    const { send, settle, agent, told } = born()
    send(prompt('One.'), prompt('Two.'))
    await settle()
    agent().send({ type: 'finish', output: outcome() })
    await settle()
    expect(told).toEqual([work({ prompt: says('One.') }), 'reply completed', work({ prompt: says('Two.') })])
  })
})

describe('what its agent is told', () => {
  test.each([
    ['normal mail wakes', rang(), '{"type":"wake","at":1}'],
    ['interrupting mail interrupts', rang('interrupt'), '{"type":"interrupt","at":1}'],
    ['wake', wake, '{"type":"wake","at":1}'],
    ['abort', abort, '{"type":"abort","at":1}'],
    ['steer', steer('Left.'), 'steer Left.'],
    ['a prompt follows up', prompt('More.'), 'follow_up More.'],
    ['shutdown aborts', shutdown(), '{"type":"abort","at":1,"reason":"enough"}'],
  ])('%s', async (_, event, told) => {
    const { send, since, state, dropped } = await busy()
    send(event)
    expect(since()).toEqual([told])
    expect(state()).toBe('living.busy')
    expect(dropped).toEqual([])
  })

  test('a bell reaches it while it is busy', async () => {
    const { bell, since } = await busy()
    bell.ring(rang('interrupt'))
    expect(since()).toEqual(['{"type":"interrupt","at":1}'])
  })

  test('a word that comes too late for it is kept for the next piece of work', async () => {
    const { send, settle, agent, world, told } = await busy()
    world.heard = () => {
      send(prompt('More.'), wake)
      agent().send({ type: 'finish', output: outcome({ reason: 'aborted_tools' }) })
    }
    send(abort)
    await settle()
    expect(told.slice(1)).toEqual(['{"type":"abort","at":1}', 'reply aborted_tools', work({ prompt: says('More.') })])
  })
})

describe('leaving', () => {
  test('an idle member leaves at once and says why', async () => {
    const { send, settle, lines, bell, snapshot } = await idle()
    expect(bell.listeners).toBe(1)
    send(shutdown('the run is over'))
    expect(bell.listeners).toBe(0)
    await settle()
    expect(lines().slice(2)).toEqual(['member.drained', 'member.gone the run is over'])
    expect(childrenOf(snapshot())).toEqual([])
  })

  test.for([
    ['says what becomes of the work that waits for an answer', {}, ['reply completed']],
    ['keeps that work for a later life', { returns: true }, []],
  ] as const)('a member that rests %s', async ([, how, said]) => {
    const { send, settle, bell, world, told, state } = await idle()
    world.unread = () => Promise.resolve({ unread: 0, waits: 'waiting_for_answer' })
    bell.ring(rang())
    await settle()
    send({ ...shutdown(), ...how })
    await settle()
    expect(told).toEqual(said)
    expect(state()).toBe('gone')
  })

  test('a busy one lets its agent end, replies, and leaves for the first reason it was given', async () => {
    const { send, settle, agent, lines, told, state } = await busy()
    send(shutdown('first'), shutdown('second'))
    await settle()
    expect(state()).toBe('living.busy')
    agent().send({ type: 'finish', output: outcome({ reason: 'aborted_tools' }) })
    await settle()
    expect(told.at(-1)).toBe('reply aborted_tools')
    expect(lines().slice(-2)).toEqual(['member.drained', 'member.gone first'])
  })

  test('one that is told before it is open still opens and closes', async () => {
    const open = Promise.withResolvers<{ unread: number }>()
    const { send, settle, state, lines } = born({}, open.promise)
    send(shutdown())
    await settle()
    expect(state()).toBe('starting')
    open.resolve({ unread: 0 })
    await settle()
    expect(lines()).toEqual(['member.started i1 in-process 7', 'member.drained', 'member.gone enough'])
  })

  test('an abort ends the work, not the member', async () => {
    const { send, settle, agent, told, state } = await busy()
    send(abort)
    agent().send({ type: 'finish', output: outcome({ reason: 'aborted_streaming' }) })
    await settle()
    expect(told.at(-1)).toBe('reply aborted_streaming')
    expect(state()).toBe('living.idle')
  })
})

describe('failing', () => {
  test.each(['unread', 'reply', 'close'] as const)('%s that fails ends the member', async (port) => {
    const { send, settle, agent, world, errors } = await busy()
    Object.assign(world, { [port]: () => Promise.reject(new Error(`${port} broke`)) })
    if (port === 'close') send(shutdown())
    agent().send({ type: 'finish', output: outcome() })
    await settle()
    expect(errors).toEqual([new Error(`${port} broke`)])
  })

  test('a journal that cannot be claimed ends it before it says anything', async () => {
    const { settle, errors, facts } = born({}, Promise.reject(new Error('leased')))
    await settle()
    expect(errors).toEqual([new Error('leased')])
    expect(facts).toEqual([])
  })
})
