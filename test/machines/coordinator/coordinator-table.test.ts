import { describe, expect, test } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { coordinatorMachine, type CoordinatorEvent } from '../../../machines/coordinator/coordinator.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import {
  asked,
  briefed,
  end,
  fewer,
  answering,
  held,
  idled,
  inputOf,
  lost,
  opened,
  result,
  satisfied,
  tools,
  twoOut,
  woke,
} from '../support/coordinator-news.ts'
import { isDropped } from '../support/dropped.ts'
import { explore, restingStates } from '../support/explore.ts'
import { summary } from '../support/summary.ts'
import { begin, childrenOf, doneEvent, errorEvent, factsOf, take, takeAll } from '../support/walk.ts'

const newRound = `gathering | gather.opened 1010 | alarm round.expired in 1000 | coordinator.moved gathering ${tools}`
const late = "the round's time ran out"
const recall = (request: string, attempt: number, reason: string): string => {
  const worker = request === 'r1' ? 'writer' : 'reader'
  return `start recall:${request}:${attempt} ${JSON.stringify({ request, worker, reason })}`
}
const roundOver = (attempt: number): string =>
  [
    'synthesising',
    `request.settled r1 writer timed_out ${late}`,
    `request.settled r2 reader timed_out ${late}`,
    recall('r1', attempt, late),
    recall('r2', 1, late),
    `gather.settled failed writer (r1): no result in time: ${late}; reader (r2): no result in time: ${late}`,
    `coordinator.moved synthesising ${answering}`,
  ].join(' | ')
const enough = (attempt: number): string =>
  [
    'synthesising',
    'request.settled r1 writer cancelled enough',
    'request.settled r2 reader cancelled enough',
    recall('r1', attempt, 'enough'),
    recall('r2', 1, 'enough'),
    'gather.settled all',
    `coordinator.moved synthesising ${answering}`,
  ].join(' | ')

const events: Readonly<Record<string, AnyEventObject>> = {
  'request.opened': opened('r3'),
  'request.opened again': opened('r1'),
  'result.received done': result('r1'),
  'result.received failed': result('r1', 'failed'),
  'result.received cancelled': { ...result('r1', 'cancelled'), reason: 'stopped' },
  'request.cancelled': { type: 'request.cancelled', request: 'r1', at: 30 },
  'member.lost': lost('writer'),
  'lead.woke': woke,
  'lead.briefed': briefed,
  'lead.asked': asked,
  'lead.idled': idled,
  'lead.satisfied': satisfied,
  'request.held': held('r4', ['r3']),
  'request.expired': { type: 'request.expired', request: 'r1', at: 30 },
  'round.expired': { type: 'round.expired', round: 1, at: 30 },
  'round.expired before': { type: 'round.expired', round: 0, at: 30 },
  'hand_out answers': doneEvent('hand_out:r1:2', { mail_id: 'mail-again' }),
  'hand_out rejects': errorEvent('hand_out:r1:2', 'inbox full'),
  'run.resumed': { type: 'run.resumed', untold: ['r1'], unstated: [], at: 30 },
  end,
}

interface Place {
  readonly state: string
  readonly path: readonly CoordinatorEvent[]
  /** What an event leads to; an event that is not listed changes nothing. */
  readonly leads: Readonly<Record<string, string>>
}

const ended = (request: string, ending: string) => `gathering | request.settled ${request} ${ending}`

const places: Readonly<Record<string, Place>> = {
  planning: {
    state: 'planning',
    path: [],
    leads: {
      'request.opened': newRound,
      'request.opened again': newRound,
      'request.held': newRound,
      'lead.idled': `waiting | coordinator.moved waiting ${fewer}`,
      end: 'ended',
    },
  },
  waiting: {
    state: 'waiting',
    path: [idled],
    leads: {
      'request.opened': newRound,
      'request.opened again': newRound,
      'request.held': newRound,
      'lead.woke': `planning | coordinator.moved planning ${fewer}`,
      end: 'ended',
    },
  },
  gathering: {
    state: 'gathering',
    path: twoOut,
    leads: {
      'result.received done': ended('r1', 'writer done'),
      'result.received failed':
        'gathering | start hand_out:r1:2 {"request":"r1","worker":"writer","task":"do r1","attempt":2,"deadline":null,"depends_on":[],"returns":null}',
      'result.received cancelled': ended('r1', 'writer cancelled stopped'),
      'request.cancelled': ended('r1', 'writer cancelled'),
      'member.lost': ended('r1', 'writer failed crashed'),
      'request.expired': `${ended('r1', 'writer timed_out its deadline passed')} | ${recall('r1', 1, 'its deadline passed')}`,
      'round.expired': roundOver(1),
      'lead.satisfied': enough(1),
      end: 'ended',
    },
  },
  'gathering, r1 is being sent again': {
    state: 'gathering',
    path: [...twoOut, result('r1', 'failed')],
    leads: {
      'result.received done': ended('r1', 'writer done'),
      'result.received failed': ended('r1', 'writer failed'),
      'result.received cancelled': ended('r1', 'writer cancelled stopped'),
      'request.cancelled': ended('r1', 'writer cancelled'),
      'member.lost': ended('r1', 'writer failed crashed'),
      'request.expired': `${ended('r1', 'writer timed_out its deadline passed')} | ${recall('r1', 2, 'its deadline passed')}`,
      'round.expired': roundOver(2),
      'lead.satisfied': enough(2),
      'hand_out answers': 'gathering | stop hand_out:r1:2 | request.opened r1 writer do r1 mail-again 2 null',
      'hand_out rejects':
        'gathering | stop hand_out:r1:2 | request.settled r1 writer failed could not be handed out: inbox full',
      end: 'ended | stop hand_out:r1:2',
    },
  },
  'gathering, r1 ended while it was sent again': {
    state: 'gathering',
    path: [...twoOut, result('r1', 'failed'), result('r1')],
    leads: {
      'round.expired': [
        'synthesising',
        `request.settled r2 reader timed_out ${late}`,
        recall('r2', 1, late),
        'gather.settled timeout',
        `coordinator.moved synthesising ${answering}`,
      ].join(' | '),
      'lead.satisfied': [
        'synthesising',
        'request.settled r2 reader cancelled enough',
        recall('r2', 1, 'enough'),
        'gather.settled all',
        `coordinator.moved synthesising ${answering}`,
      ].join(' | '),
      'hand_out answers': 'gathering | stop hand_out:r1:2',
      'hand_out rejects': 'gathering | stop hand_out:r1:2',
      end: 'ended | stop hand_out:r1:2',
    },
  },
  synthesising: {
    state: 'synthesising',
    path: [...twoOut, result('r1'), result('r2')],
    leads: {
      'request.opened': newRound,
      'request.held': newRound,
      end: 'ended',
    },
  },
  'synthesising, the lead was told': {
    state: 'synthesising',
    path: [...twoOut, result('r1'), result('r2'), briefed],
    leads: {
      'request.opened': newRound,
      'request.held': newRound,
      'lead.idled': `answered | coordinator.moved answered ${tools}`,
      end: 'ended',
    },
  },
  answered: {
    state: 'answered',
    path: [...twoOut, result('r1'), result('r2'), briefed, asked, idled],
    leads: {
      'request.opened': newRound,
      'request.held': newRound,
      'lead.woke': `planning | coordinator.moved planning ${fewer}`,
      end: 'ended',
    },
  },
}

describe('state × event', () => {
  for (const [name, { state, path, leads }] of Object.entries(places)) {
    const walk = takeAll(begin(coordinatorMachine, inputOf()), path)
    const isResending = childrenOf(walk.snapshot).length > 0
    const possible = Object.entries(events).filter(([event]) => isResending || !event.startsWith('hand_out'))

    test.each(possible)(`${name}: %s`, (event, sent) => {
      expect(isDropped(walk, sent)).toBe(false)
      expect(summary(walk, take(walk, sent))).toBe(leads[event] ?? state)
    })
  }
})

/** Two requests, of which one builds on the other, are enough for every kind of place. */
const twoRequests = {
  ...Object.fromEntries(Object.entries(events).filter(([name]) => !name.startsWith('hand_out'))),
  'request.opened': opened('r1'),
  'request.held': held('r4', ['r1'], { worker: 'reader' }),
}

/** Recalls are told and forgotten: they lead nowhere. */
const handOutsOf = (snapshot: unknown) => childrenOf(snapshot).filter(({ id }) => id.startsWith('hand_out'))

describe('paths', () => {
  const reach = { input: inputOf({ wait: { quorum: 1 } }), limit: 6_000 }
  const explored = explore(coordinatorMachine, {
    ...reach,
    events: (snapshot) => [
      ...Object.entries(twoRequests),
      ...handOutsOf(snapshot).flatMap(({ id }) => [
        [`${id} answers`, doneEvent(id, { mail_id: 'mail-again' })] as const,
        [`${id} rejects`, errorEvent(id, 'full')] as const,
      ]),
    ],
    key: (snapshot) => JSON.stringify([snapshot.value, placeOf(snapshot), handOutsOf(snapshot).map(({ id }) => id)]),
  })

  test('reach every state, and every one can end', () => {
    // How a run is led on is in coordinator-earlier.test.ts.
    expect(explored.states).toEqual(
      new Set([...restingStates(coordinatorMachine)].filter((state) => state !== 'beginning')),
    )
    expect(explored.dead).toEqual([])
  })

  test('settle a request once, and only after it was opened; gathers pair up', () => {
    const flaws = explored.edges.flatMap(({ path, effects }) =>
      flawsOf(factsOf(effects)).map((flaw) => `${flaw}: ${path.join(' → ')}`),
    )
    expect(flaws).toEqual([])
  })
})

/** Rounds go on counting for ever; two places that differ only there are one. */
function placeOf({ context }: SnapshotFrom<typeof coordinatorMachine>): unknown {
  const requests = Object.values(context.book).map(({ request, status, attempt, counted, round, held: waits }) => {
    return [request, status, attempt, counted, waits, round === context.round]
  })
  return [requests, context.lost.length > 0, context.news]
}

function flawsOf(facts: readonly Fact[]): readonly string[] {
  const settled = facts.flatMap((fact) => (fact.type === 'request.settled' ? [fact.request] : []))
  const twice = settled.filter((request, index) => settled.indexOf(request) !== index)
  const gathers = facts.filter((fact) => fact.type === 'gather.opened' || fact.type === 'gather.settled')
  const unpaired = gathers.filter(({ type }, index) => type !== (index % 2 === 0 ? 'gather.opened' : 'gather.settled'))
  return [...twice.map((request) => `${request} settled twice`), ...unpaired.map(({ type }) => `${type} out of turn`)]
}
