import { describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { coordinatorMachine, holdsLead, toolsNow } from '../../machines/coordinator.ts'
import type { Fact } from '../../src/protocol/fact.ts'
import type { RedelegateInput, RedelegateOutput } from '../../src/protocol/port.ts'
import {
  asked,
  end,
  fewer,
  idled,
  inputOf,
  lost,
  opened,
  result,
  tools,
  twoOut,
  woke,
} from './support/coordinator-news.ts'
import { factLine, run } from './support/run.ts'
import { childrenOf } from './support/walk.ts'

const provided = (redelegate: (input: RedelegateInput) => Promise<RedelegateOutput>) =>
  coordinatorMachine.provide({
    actors: { redelegate: fromPromise<RedelegateOutput, RedelegateInput>(({ input }) => redelegate(input)) },
  })

const started = (input = inputOf()) => {
  const sentAgain: RedelegateInput[] = []
  const machine = provided((again) => {
    sentAgain.push(again)
    return Promise.resolve({ mail_id: `mail-${again.request}-${again.attempt}` })
  })
  return { sentAgain, ...run(machine, input) }
}

const lines = (facts: readonly Fact[]): readonly string[] => facts.map(factLine)
const withoutMoves = (facts: readonly Fact[]): readonly string[] =>
  lines(facts.filter(({ type }) => type !== 'coordinator.moved'))

describe('rounds', () => {
  test('says its first state', () => {
    expect(lines(started().facts)).toEqual([`coordinator.moved planning ${fewer}`])
  })

  test('a round of all ends with the last result and leads to an answer', () => {
    const { facts, send, state, dropped } = started()
    send(...twoOut, result('r2'), result('r1'), idled)
    expect(state()).toBe('answered')
    expect(dropped).toEqual([])
    expect(lines(facts).slice(1)).toEqual([
      'gather.opened 1010',
      `coordinator.moved gathering ${tools}`,
      'request.settled r2 reader done',
      'request.settled r1 writer done',
      'gather.settled all',
      'coordinator.moved synthesising []',
      `coordinator.moved answered ${tools}`,
    ])
  })

  test('any is enough for any; the rest still counts as owed until it ends', () => {
    const { facts, send, state } = started(inputOf({ wait: 'any' }))
    send(...twoOut, result('r2'))
    expect(state()).toBe('synthesising')
    send(idled)
    expect(state()).toBe('waiting')
    send(result('r1'))
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.settled r2 reader done',
      'gather.settled any',
      'request.settled r1 writer done',
    ])
  })

  test('a quorum counts results that were done', () => {
    const { facts, send, state } = started(inputOf({ wait: { quorum: 2 }, retry: 0 }))
    send(...twoOut, opened('r3', { worker: 'checker' }), result('r1'), result('r2', 'failed'))
    expect(state()).toBe('gathering')
    send(result('r3'))
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).at(-1)).toBe('gather.settled quorum')
  })

  test('progressive settles with each ending and gathers on until nothing is open', () => {
    const { facts, send, state } = started(inputOf({ wait: 'progressive' }))
    send(...twoOut, result('r1'))
    expect(state()).toBe('gathering')
    send(result('r2'))
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.settled r1 writer done',
      'gather.settled progressive',
      'request.settled r2 reader done',
      'gather.settled progressive',
    ])
  })

  test('a failure ends the round of a team that fails with it', () => {
    const { facts, send, state } = started(inputOf({ retry: 0, then: 'fail' }))
    send(...twoOut, result('r1', 'failed'))
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).slice(1)).toEqual(['request.settled r1 writer failed', 'gather.settled failed'])
  })

  test('a later round has its own requests and its own deadline', () => {
    const { clock, facts, send, state } = started(inputOf({ wait: 'any' }))
    send(...twoOut, result('r1'), idled, woke, opened('r3', { at: 510 }))
    clock.increment(999)
    expect(state()).toBe('gathering')
    clock.increment(1)
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).slice(3)).toEqual([
      'gather.opened 1510',
      "request.settled r2 reader timed_out the round's time ran out",
      "request.settled r3 writer timed_out the round's time ran out",
      'gather.settled timeout',
    ])
  })
})

describe('deadlines', () => {
  test('a round ends at its deadline, not a moment before', () => {
    const { clock, facts, send, state } = started()
    send(...twoOut, result('r1'))
    clock.increment(999)
    expect(state()).toBe('gathering')
    clock.increment(1)
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).slice(2)).toEqual([
      "request.settled r2 reader timed_out the round's time ran out",
      'gather.settled timeout',
    ])
  })

  test('a request with an earlier deadline ends by itself; the round goes on', () => {
    const { clock, facts, send, state } = started()
    send(opened('r1', { deadline: 410 }), opened('r2', { worker: 'reader', deadline: 1_010 }))
    clock.increment(399)
    expect(withoutMoves(facts)).toEqual(['gather.opened 1010'])
    clock.increment(1)
    expect(state()).toBe('gathering')
    expect(withoutMoves(facts)[1]).toBe('request.settled r1 writer timed_out its deadline passed')
    clock.increment(600)
    expect(withoutMoves(facts).slice(2)).toEqual([
      "request.settled r2 reader timed_out the round's time ran out",
      'gather.settled timeout',
    ])
  })

  test('a deadline that has passed ends its request at once', () => {
    const { clock, facts, send } = started()
    send(...twoOut, opened('r3', { deadline: 5 }))
    clock.increment(0)
    expect(withoutMoves(facts)[1]).toBe('request.settled r3 writer timed_out its deadline passed')
  })

  test('what is still open after an early end keeps the deadline of its round', () => {
    const { clock, facts, send, state } = started(inputOf({ wait: 'any' }))
    send(...twoOut, result('r1'), idled)
    clock.increment(1_000)
    expect(state()).toBe('waiting')
    expect(withoutMoves(facts).at(-1)).toBe("request.settled r2 reader timed_out the round's time ran out")
  })

  test('nothing is stated after the end', () => {
    const { clock, facts, send, state } = started()
    send(...twoOut, end)
    const before = facts.length
    clock.increment(5_000)
    expect(state()).toBe('ended')
    expect(facts).toHaveLength(before)
  })
})

describe('failures', () => {
  test('a failed request is sent again with the same task and deadline, and may succeed', async () => {
    const { sentAgain, facts, send, settle } = started()
    send(opened('r1', { deadline: 900 }), result('r1', 'failed'))
    await settle()
    expect(sentAgain).toEqual([{ request: 'r1', worker: 'writer', task: 'do r1', attempt: 2, deadline: 900 }])
    send(result('r1'))
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.opened r1 writer do r1 mail-r1-2 2 900',
      'request.settled r1 writer done',
      'gather.settled all',
    ])
  })

  test('when attempts are used up it has failed, with the reason it was given', async () => {
    const { sentAgain, facts, send, settle } = started()
    send(opened('r1'), result('r1', 'failed'))
    await settle()
    send({ ...result('r1', 'failed'), reason: 'no such file' })
    await settle()
    expect(sentAgain).toHaveLength(1)
    expect(withoutMoves(facts).slice(2)).toEqual([
      'request.settled r1 writer failed no such file',
      'gather.settled failed',
    ])
  })

  test('without retries the first failure counts', () => {
    const { sentAgain, facts, send } = started(inputOf({ retry: 0 }))
    send(...twoOut, result('r1', 'failed'))
    expect(sentAgain).toEqual([])
    expect(withoutMoves(facts)[1]).toBe('request.settled r1 writer failed')
  })

  test('a task that cannot be sent again has failed', async () => {
    const machine = provided(() => Promise.reject(new Error('inbox full')))
    const { facts, send, settle, state, errors, snapshot } = run(machine, inputOf())
    send(...twoOut, result('r1', 'failed'))
    await settle()
    expect(withoutMoves(facts)[1]).toBe('request.settled r1 writer failed could not be sent again: inbox full')
    expect(state()).toBe('gathering')
    expect(errors).toEqual([])
    expect(childrenOf(snapshot())).toEqual([])
  })

  test('a lost member fails what it was asked, and what it is asked later', () => {
    const { facts, send } = started()
    send(...twoOut, lost('writer'), opened('r3'))
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.settled r1 writer failed crashed',
      'request.settled r3 writer failed writer is lost',
    ])
  })

  test('a late result changes nothing', () => {
    const { facts, send, state, dropped } = started()
    send(...twoOut, { type: 'request.cancelled', request: 'r1', at: 15 }, result('r1'), result('r2'), result('r2'))
    expect(state()).toBe('synthesising')
    expect(dropped).toEqual([])
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.settled r1 writer cancelled',
      'request.settled r2 reader done',
      'gather.settled all',
    ])
  })

  test('news about an unknown request changes nothing', () => {
    const { facts, send, state } = started()
    send(...twoOut, result('r9'), result('r9', 'failed'))
    expect(state()).toBe('gathering')
    expect(withoutMoves(facts)).toEqual(['gather.opened 1010'])
  })
})

describe('what the runtime asks it', () => {
  test('a lead is held while its round is gathered', () => {
    const { send, snapshot } = started()
    expect(holdsLead(snapshot())).toBe(false)
    send(...twoOut, result('r1'))
    expect(holdsLead(snapshot())).toBe(true)
    send(result('r2'))
    expect(holdsLead(snapshot())).toBe(false)
  })

  test('a progressive round lets the lead go with each result until it has asked its model', () => {
    const { send, snapshot } = started(inputOf({ wait: 'progressive' }))
    send(...twoOut, opened('r3', { worker: 'checker' }), result('r1'))
    expect(holdsLead(snapshot())).toBe(false)
    send(asked)
    expect(holdsLead(snapshot())).toBe(true)
    send(result('r2'))
    expect(holdsLead(snapshot())).toBe(false)
  })

  test('a new round holds the lead whatever it has heard of the last one', () => {
    const { send, snapshot } = started()
    send(opened('r1'), result('r1'), opened('r2'))
    expect(holdsLead(snapshot())).toBe(true)
  })

  test('tools follow the state', () => {
    const { send, snapshot } = started()
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage'])
    send(opened('r1'))
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'StopWorker'])
    send(result('r1'))
    expect(toolsNow(snapshot())).toEqual([])
    send(end)
    expect(toolsNow(snapshot())).toEqual([])
  })

  test('a relaxed lead keeps its tools and has its own', () => {
    const { facts, send, snapshot } = started(inputOf({}, { partition: 'relaxed' }))
    send(opened('r1'), result('r1'))
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'StopWorker', 'Read'])
    expect(lines(facts).at(-1)).toBe('coordinator.moved synthesising ["Delegate","SendMessage","StopWorker","Read"]')
  })
})
