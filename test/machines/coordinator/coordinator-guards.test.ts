import { describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import type { HandOutInput, HandOutOutput, RecallInput } from '../../../src/protocol/port.ts'
import { held, inputOf, opened, result } from '../support/coordinator-news.ts'
import { run } from '../support/run.ts'

const hands = ['hand-1', 'hand-2', 'hand-3'].map((name) => ({ name, card: 'hand' }))
const refused = (member: string) => ({ type: 'member.refused', member, reason: 'too many', at: 30 }) as const

function started(input = inputOf({ retry: 0 }, { workers: [...hands, { name: 'other', card: 'other' }] })) {
  const handedOut: string[] = []
  const recalled: string[] = []
  const machine = coordinatorMachine.provide({
    actors: {
      handOut: fromPromise<HandOutOutput, HandOutInput>(async ({ input: { request, worker, attempt } }) => {
        if (worker === 'full') throw new Error('full has 1 unread messages')
        handedOut.push(`${request} ${worker} ${attempt}`)
        return { mail_id: `mail-${request}-${attempt}` }
      }),
      recall: fromPromise<void, RecallInput>(async ({ input: { request, worker } }) => {
        recalled.push(`${request} ${worker}`)
      }),
    },
  })
  return { ...run(machine, input), handedOut, recalled }
}

const statuses = ({ facts }: ReturnType<typeof started>): readonly string[] =>
  facts.flatMap((fact) =>
    fact.type === 'request.settled' ? [`${fact.request} ${fact.status} ${fact.reason ?? ''}`] : [],
  )

describe('as many requests as may be at work at the same time', () => {
  const two = () =>
    started(inputOf({ retry: 0 }, { concurrency: 2, workers: [...hands, { name: 'other', card: 'other' }] }))

  test('the next one begins with each that ends, however it ends', async () => {
    const { send, settle, handedOut } = two()
    send(opened('r1', { worker: 'hand-1' }), opened('r2', { worker: 'hand-2' }))
    send(held('r3', [], { worker: 'hand' }), held('r4', [], { worker: 'hand' }), held('r5', [], { worker: 'other' }))
    await settle()
    expect(handedOut).toEqual([])
    send(result('r1'))
    await settle()
    expect(handedOut).toEqual(['r3 hand-3 1'])
    send(result('r2', 'failed'), result('r3'))
    await settle()
    expect(handedOut).toEqual(['r3 hand-3 1', 'r4 hand-1 1', 'r5 other 1'])
  })

  test('the next one begins when one could not be handed out', async () => {
    const { send, settle, handedOut, clock, ...rest } = started(
      inputOf({ retry: 0 }, { concurrency: 1, workers: [...hands, { name: 'full', card: 'full' }] }),
    )
    send(opened('r1', { worker: 'hand-1' }), held('r2', [], { worker: 'full' }))
    send(held('r3', [], { worker: 'hand', limit_ms: 100 }), result('r1'))
    await settle()
    expect(handedOut).toEqual(['r3 hand-2 1'])
    clock.increment(100)
    expect(statuses({ send, settle, handedOut, clock, ...rest })).toEqual([
      'r1 done ',
      'r2 failed could not be handed out: full has 1 unread messages',
      'r3 timed_out its deadline passed',
    ])
  })

  test('one that builds on others waits for both: them, and a place', async () => {
    const { send, settle, handedOut } = two()
    send(opened('r1', { worker: 'hand-1' }), opened('r2', { worker: 'hand-2' }))
    send(held('r3', ['r1'], { worker: 'other' }), held('r4', [], { worker: 'hand' }), result('r2'))
    await settle()
    expect(handedOut).toEqual(['r4 hand-3 1'])
    send(result('r1'))
    await settle()
    expect(handedOut).toEqual(['r4 hand-3 1', 'r3 other 1'])
  })
})

describe('a worker that may not be started', () => {
  test('has its work taken back and given to another of its card', async () => {
    const { send, settle, handedOut, recalled, ...rest } = started()
    send(opened('r1', { worker: 'hand-1' }), refused('hand-1'))
    await settle()
    expect({ handedOut, recalled }).toEqual({ handedOut: ['r1 hand-2 2'], recalled: ['r1 hand-1'] })
    send(refused('hand-2'), refused('hand-3'))
    await settle()
    expect(handedOut).toEqual(['r1 hand-2 2', 'r1 hand-3 3'])
    expect(statuses({ send, settle, handedOut, recalled, ...rest })).toEqual([
      'r1 failed hand-3 is not started: too many',
    ])
  })

  test('is asked again only when nobody else of its card is left', async () => {
    const { send, settle, handedOut } = started()
    send(opened('r1', { worker: 'other' }), opened('r2', { worker: 'hand-1' }), refused('hand-1'))
    send(held('r3', ['r2'], { worker: 'hand' }), result('r2'))
    await settle()
    expect(handedOut).toEqual(['r2 hand-2 2', 'r3 hand-3 1'])
  })
})
