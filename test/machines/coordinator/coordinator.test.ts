import { describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { coordinatorMachine, holdsLead, toolsNow } from '../../../machines/coordinator/coordinator.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { HandOutInput, HandOutOutput, RecallInput } from '../../../src/protocol/port.ts'
import {
  asked,
  briefed,
  end,
  fewer,
  answering,
  idled,
  inputOf,
  lost,
  opened,
  result,
  tools,
  twoOut,
  woke,
  satisfied,
  held,
} from '../support/coordinator-news.ts'
import { factLine, run } from '../support/run.ts'
import { begin, childrenOf, doneEvent, takeAll } from '../support/walk.ts'

const provided = (
  handOut: (input: HandOutInput) => Promise<HandOutOutput>,
  recall: (input: RecallInput) => Promise<void> = () => Promise.resolve(),
) =>
  coordinatorMachine.provide({
    actors: {
      handOut: fromPromise<HandOutOutput, HandOutInput>(({ input }) => handOut(input)),
      recall: fromPromise<void, RecallInput>(({ input }) => recall(input)),
    },
  })

const started = (input = inputOf()) => {
  const sentAgain: Omit<HandOutInput, 'depends_on' | 'returns'>[] = []
  const built: string[] = []
  const recalled: string[] = []
  const machine = provided(
    ({ depends_on, returns: _, ...again }) => {
      sentAgain.push(again)
      if (depends_on.length > 0) built.push(`${again.request} on ${depends_on.join()}`)
      return Promise.resolve({ mail_id: `mail-${again.request}-${again.attempt}` })
    },
    async ({ request, worker, reason }) => void recalled.push(`${request} ${worker}: ${reason}`),
  )
  return { sentAgain, built, recalled, ...run(machine, input) }
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
    expect(state()).toBe('synthesising')
    send(briefed, asked, idled)
    expect(state()).toBe('answered')
    expect(dropped).toEqual([])
    expect(lines(facts).slice(1)).toEqual([
      'gather.opened 1010',
      `coordinator.moved gathering ${tools}`,
      'request.settled r2 reader done',
      'request.settled r1 writer done',
      'gather.settled all',
      `coordinator.moved synthesising ${answering}`,
      `coordinator.moved answered ${tools}`,
    ])
  })

  test('any is enough for any; the rest is called off, and what it still says changes nothing', async () => {
    const { facts, recalled, send, settle, state } = started(inputOf({ wait: 'any' }))
    send(...twoOut, result('r2'))
    expect(state()).toBe('synthesising')
    await settle()
    expect(recalled).toEqual(['r1 writer: enough results are in'])
    send(result('r1'), briefed, asked, idled)
    expect(state()).toBe('answered')
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 1010',
      'request.settled r2 reader done',
      'request.settled r1 writer cancelled enough results are in',
      'gather.settled any',
    ])
  })

  test('a lead with enough has the rest called off and answers', async () => {
    const { facts, recalled, send, settle, state } = started(inputOf({ wait: 'progressive' }))
    send(...twoOut, opened('r3', { worker: 'checker' }), result('r1'), asked, satisfied)
    expect(state()).toBe('synthesising')
    await settle()
    expect(recalled).toEqual(['r2 reader: enough', 'r3 checker: enough'])
    expect(withoutMoves(facts).slice(-4)).toEqual([
      'gather.settled progressive',
      'request.settled r2 reader cancelled enough',
      'request.settled r3 checker cancelled enough',
      'gather.settled progressive',
    ])
  })

  test('a lead opens round after round until the last one; then it holds nothing to begin anything with', () => {
    const { facts, send, state, snapshot } = started(inputOf({ rounds: 2 }))
    send(opened('r1'), result('r1'), briefed, asked)
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'Wait', 'Answer'])
    send(opened('r2'))
    expect(state()).toBe('gathering')
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'StopWorker', 'Wait'])
    send(result('r2'), briefed, asked)
    expect(lines(facts).at(-1)).toBe('coordinator.moved synthesising ["AskUser","Answer"]')
    send(idled)
    expect(toolsNow(snapshot())).toEqual(['SendMessage', 'AskUser', 'StopWorker', 'Wait'])
    send(woke)
    expect(toolsNow(snapshot())).toEqual(['SendMessage', 'AskUser', 'Wait'])
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
    expect(withoutMoves(facts).slice(1)).toEqual([
      'request.settled r1 writer failed',
      'request.settled r2 reader cancelled enough results are in',
      'gather.settled failed writer (r1): failed',
    ])
  })

  test('a later round has its own requests and its own deadline', () => {
    const { clock, facts, send, state } = started(inputOf({ wait: 'any' }))
    send(...twoOut, result('r1'), idled, woke, opened('r3', { at: 510 }))
    clock.increment(999)
    expect(state()).toBe('gathering')
    clock.increment(1)
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).slice(4)).toEqual([
      'gather.opened 1510',
      "request.settled r3 writer timed_out the round's time ran out",
      "gather.settled failed writer (r3): no result in time: the round's time ran out",
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
      "gather.settled failed writer (r1): no result in time: its deadline passed; reader (r2): no result in time: the round's time ran out",
    ])
  })

  test("a round ends while there is time for the lead's report, and says what for", () => {
    const { clock, facts, recalled, send, state } = started(inputOf({}, { closes: 510 }))
    send(...twoOut)
    clock.increment(499)
    expect(state()).toBe('gathering')
    clock.increment(1)
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts)).toEqual([
      'gather.opened 510',
      "request.settled r1 writer timed_out the team's budget of time is used up",
      "request.settled r2 reader timed_out the team's budget of time is used up",
      'budget.exhausted team minutes false',
      'gather.settled timeout',
    ])
    expect(recalled).toHaveLength(2)
  })

  test('a deadline that has passed ends its request at once', () => {
    const { clock, facts, send } = started()
    send(...twoOut, opened('r3', { deadline: 5 }))
    clock.increment(0)
    expect(withoutMoves(facts)[1]).toBe('request.settled r3 writer timed_out its deadline passed')
  })

  test('who is late is told that nobody waits any more', async () => {
    const { clock, recalled, send, settle } = started()
    send(opened('r1', { deadline: 410 }), opened('r2', { worker: 'reader' }))
    clock.increment(400)
    clock.increment(600)
    await settle()
    expect(recalled).toEqual(['r1 writer: its deadline passed', "r2 reader: the round's time ran out"])
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
      'gather.settled failed writer (r1): failed: no such file',
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
    expect(withoutMoves(facts)[1]).toBe('request.settled r1 writer failed could not be handed out: inbox full')
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
    send(asked, briefed)
    expect(holdsLead(snapshot())).toBe(false)
    send(asked)
    expect(holdsLead(snapshot())).toBe(true)
    send(result('r2'))
    expect(holdsLead(snapshot())).toBe(false)
  })

  test('a new round holds the lead once it was told of the last one', () => {
    const told = started()
    told.send(opened('r1'), result('r1'), briefed, opened('r2'))
    expect(holdsLead(told.snapshot())).toBe(true)
    const untold = started()
    untold.send(opened('r1'), result('r1'), opened('r2'))
    expect(holdsLead(untold.snapshot())).toBe(false)
    untold.send(briefed, asked)
    expect(holdsLead(untold.snapshot())).toBe(true)
  })

  test('tools follow the state', () => {
    const { send, snapshot } = started()
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'Wait'])
    send(opened('r1'))
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'StopWorker', 'Wait'])
    send(result('r1'))
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'Wait', 'Answer'])
    send(end)
    expect(toolsNow(snapshot())).toEqual([])
  })

  test('a relaxed lead keeps its tools and has its own', () => {
    const { facts, send, snapshot } = started(inputOf({}, { partition: 'relaxed' }))
    send(opened('r1'), result('r1'))
    expect(toolsNow(snapshot())).toEqual(['Delegate', 'SendMessage', 'AskUser', 'Wait', 'Answer', 'Read'])
    expect(lines(facts).at(-1)).toBe(
      'coordinator.moved synthesising ["Delegate","SendMessage","AskUser","Wait","Answer","Read"]',
    )
  })
})

describe('what builds on others', () => {
  const diamond = [
    opened('r1'),
    held('r2', ['r1'], { worker: 'reader' }),
    held('r3', ['r1'], { worker: 'checker', limit_ms: 50 }),
    held('r4', ['r2', 'r3']),
  ]

  test('is handed out when everything below it is done, and its time runs from then', async () => {
    const { built, facts, sentAgain, send, settle, state } = started()
    send(...diamond)
    await settle()
    expect(built).toEqual([])
    send(result('r1'))
    await settle()
    expect(built).toEqual(['r2 on r1', 'r3 on r1'])
    expect(sentAgain.at(-1)).toMatchObject({ request: 'r3', worker: 'checker', attempt: 1, deadline: 70 })
    send(result('r2'))
    await settle()
    expect(built).toHaveLength(2)
    send(result('r3'))
    await settle()
    expect(built.at(-1)).toBe('r4 on r2,r3')
    send(result('r4'))
    expect(state()).toBe('synthesising')
    expect(withoutMoves(facts).at(-1)).toBe('gather.settled all')
  })

  test('is handed out at once when everything is done already', async () => {
    const { built, send, settle } = started()
    send(opened('r1'), result('r1'), idled, woke, held('r2', ['r1']))
    await settle()
    expect(built).toEqual(['r2 on r1'])
  })

  test('fails, all the way up, when something below it has failed for good', async () => {
    const { built, facts, send, settle } = started(inputOf({ retry: 0 }))
    send(...diamond, result('r1', 'failed'))
    await settle()
    expect(built).toEqual([])
    expect(withoutMoves(facts).slice(1, 5)).toEqual([
      'request.settled r1 writer failed',
      'request.settled r2 reader failed it builds on r1, which was not done',
      'request.settled r3 checker failed it builds on r1, which was not done',
      'request.settled r4 writer failed it builds on r2, which was not done',
    ])
  })

  test('a step is not yet an answer: any waits for a result that nothing builds on', () => {
    const { send, state } = started(inputOf({ wait: 'any' }))
    send(opened('r1'), held('r2', ['r1']), opened('r3', { worker: 'checker' }), result('r1'))
    expect(state()).toBe('gathering')
    send(result('r3'))
    expect(state()).toBe('synthesising')
  })

  test('a card is settled on a free replica when it is handed out', async () => {
    const workers = ['hand-1', 'hand-2', 'hand-3'].map((name) => ({ name, card: 'hand' }))
    const { sentAgain, send, settle } = started(inputOf({}, { workers }))
    send(opened('r1', { worker: 'hand-1' }), opened('r2', { worker: 'hand-2' }))
    send(held('r3', ['r2'], { worker: 'hand' }), held('r4', ['r2'], { worker: 'hand' }), result('r2'))
    await settle()
    expect(sentAgain.map(({ request, worker }) => `${request} ${worker}`)).toEqual(['r3 hand-3', 'r4 hand-2'])
  })
})

describe('a substitute', () => {
  test('is asked once, after the retries', async () => {
    const { facts, sentAgain, send, settle } = started(inputOf({ substitute: 'checker' }))
    send(...twoOut, result('r1', 'failed'), result('r1', 'failed'))
    await settle()
    expect(sentAgain.map(({ worker, attempt }) => `${worker} ${attempt}`)).toEqual(['writer 2', 'checker 3'])
    send(result('r1', 'failed'))
    await settle()
    expect(sentAgain).toHaveLength(2)
    expect(withoutMoves(facts).at(-1)).toBe('request.settled r1 checker failed')
  })

  test('takes over from a lost member at once, unless it is lost itself', async () => {
    const { facts, sentAgain, send, settle } = started(inputOf({ substitute: 'checker' }))
    send(...twoOut, lost('writer'))
    await settle()
    expect(sentAgain).toMatchObject([{ request: 'r1', worker: 'checker', attempt: 2 }])
    send(lost('checker'), lost('reader'))
    expect(withoutMoves(facts).filter((line) => line.startsWith('request.settled'))).toEqual([
      'request.settled r1 checker failed crashed',
      'request.settled r2 reader failed crashed',
    ])
  })

  test('is not blamed for a task that reached the lost member after all', () => {
    const walk = takeAll(begin(coordinatorMachine, inputOf({ substitute: 'checker' })), [
      opened('r1'),
      held('r2', ['r1'], { worker: 'reader' }),
      result('r1'),
      lost('reader'),
      doneEvent('hand_out:r2:1', { mail_id: 'mail-late' }),
      doneEvent('hand_out:r2:2', { mail_id: 'mail-2' }),
      { ...result('r2', 'failed'), task: 'mail-late' },
    ])
    expect(walk.snapshot.context.book['r2']).toMatchObject({ worker: 'checker', mail_id: 'mail-2', status: 'open' })
  })

  test('waits for what its request builds on, as the one who was lost would have', async () => {
    const { built, facts, sentAgain, send, settle } = started(inputOf({ substitute: 'checker' }))
    send(opened('r1'), held('r2', ['r1'], { worker: 'reader', limit_ms: 50 }), lost('reader'))
    await settle()
    expect(sentAgain).toEqual([])
    send(result('r1'))
    await settle()
    expect(sentAgain).toMatchObject([{ request: 'r2', worker: 'checker', attempt: 1, deadline: 70 }])
    expect(built).toEqual(['r2 on r1'])
    expect(facts.at(-1)).toMatchObject({ worker: 'checker', instead_of: { worker: 'reader', reason: 'crashed' } })
  })
})
