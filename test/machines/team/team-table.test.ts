import { describe, expect, test } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { teamMachine } from '../../../machines/team/team.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { isDropped } from '../support/dropped.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import { summary } from '../support/summary.ts'
import {
  abort,
  addressed,
  busy,
  crashed,
  gone,
  idled,
  inputOf,
  isUp,
  leadEnded,
  owing,
  port,
  quiet,
  restart,
  settled,
  start,
  stop,
  surveyed,
  woke,
} from '../support/team-news.ts'
import { begin, childrenOf, doneEvent, errorEvent, factsOf, take, takeAll } from '../support/walk.ts'

const events: Readonly<Record<string, AnyEventObject>> = {
  start,
  'member.addressed': addressed('writer'),
  'member.addressed, nobody of ours': addressed('stranger'),
  'member.woke': woke('lead'),
  'member.idled': idled('lead'),
  'member.crashed, the lead': crashed('lead'),
  'member.crashed, a worker': crashed('writer'),
  'member.gone, the lead': gone('lead'),
  'member.gone, a worker': gone('writer'),
  'member.stop, the lead': stop('lead'),
  'member.stop, a worker': stop('writer'),
  'member.restart': restart('writer'),
  'member.stays': { type: 'member.stays', member: 'writer', reason: 'not yet', at: 20 },
  'member.ended': { type: 'member.ended', member: 'writer', at: 20 },
  'lead.ended, completed': leadEnded('completed'),
  'lead.ended, failed': leadEnded('failed'),
  'request.settled': settled,
  'gather.failed': { type: 'gather.failed', reason: 'request_failed: r1', at: 20 },
  'mail.failed': { type: 'mail.failed', at: 20 },
  'budget.spent': { type: 'budget.spent', what: 'usd', at: 20 },
  'deadline.passed': { type: 'deadline.passed', at: 5_000 },
  abort,
}

const survey = 'running.surveying | start survey {}'
const stranger = 'warning.raised member_absent stranger is lost or unknown (addressed)'
const spawn = (name: string, attempt: number): string =>
  `member.spawned ${name} ${attempt} | start ${port('spawn', name)} {"member":"${name}","attempt":${attempt}}`
const restarted = `member.restarted writer user | ${spawn('writer', 1).replace('}', ',"restarted":true}')}`
const stopped = 'member.stopped writer lead enough'
const terminate = (name: string, reason: string): string =>
  `start ${port('terminate', name)} {"member":"${name}","reason":"${reason}"}`
/** Every way in which a run that has members ends at once; `before` is what stops, `after` what leaves. */
const ends = (before: string, after: (reason: string) => string) => ({
  'lead.ended, failed': `ending.emptying${before} | ${after('failed')}`,
  'gather.failed': `ending.emptying${before} | ${after('request_failed: r1')}`,
  'deadline.passed': `ending.emptying${before} | ${after('minutes')}`,
  abort: `ending.emptying${before} | ${after('aborted')}`,
})

interface Place {
  readonly state: string
  readonly path: readonly AnyEventObject[]
  /** What an event leads to; an event that is not listed changes nothing that can be seen. */
  readonly leads: Readonly<Record<string, string>>
}

const surveying = [start, isUp('lead')]
const working = [...surveying, surveyed(busy)]
const writerUp = [...working, addressed('writer'), surveyed(busy), isUp('writer'), surveyed(busy), surveyed(busy)]

const places: Readonly<Record<string, Place>> = {
  idle: {
    state: 'idle',
    path: [],
    leads: {
      start: `starting | alarm deadline.passed in 5000 | ${spawn('lead', 1)}`,
      'deadline.passed': 'ending.collecting | start collect {}',
      abort: 'ended | team.ended aborted aborted null',
    },
  },
  starting: {
    state: 'starting',
    path: [start],
    leads: {
      'member.restart': `starting | ${restarted}`,
      'member.stop, a worker': `starting | ${stopped}`,
      'member.addressed': `starting | ${spawn('writer', 1)}`,
      'member.addressed, nobody of ours': `starting | ${stranger}`,
      'member.crashed, the lead': `starting | member.crashed lead boom | stop ${port('spawn', 'lead')} | alarm member.due in 500`,
      'member.gone, the lead': `ended | stop ${port('spawn', 'lead')} | team.ended failed lead_lost null`,
      ...ends('', (reason) => `stop ${port('spawn', 'lead')} | ${terminate('lead', reason)}`),
    },
  },
  surveying: {
    state: 'running.surveying',
    path: surveying,
    leads: {
      'member.restart': `running.surveying | ${restarted}`,
      'member.stop, a worker': `running.surveying | ${stopped}`,
      'member.addressed': `running.surveying | ${spawn('writer', 1)}`,
      'member.addressed, nobody of ours': `running.surveying | ${stranger}`,
      'member.crashed, the lead': `running.surveying | member.crashed lead boom | ${spawn('lead', 2)}`,
      'member.gone, the lead': 'ended | stop survey | team.ended failed lead_lost null',
      ...ends(' | stop survey', (reason) => terminate('lead', reason)),
    },
  },
  working: {
    state: 'running.working',
    path: working,
    leads: {
      'member.restart': `running.surveying | ${restarted} | start survey {}`,
      'member.stop, a worker': `running.surveying | ${stopped} | start survey {}`,
      'member.addressed': `running.surveying | ${spawn('writer', 1)} | start survey {}`,
      'member.addressed, nobody of ours': `running.working | ${stranger}`,
      'member.idled': survey,
      'member.crashed, the lead': `running.surveying | member.crashed lead boom | ${spawn('lead', 2)} | start survey {}`,
      'member.gone, the lead': 'ended | team.ended failed lead_lost null',
      'lead.ended, completed': survey,
      'request.settled': survey,
      'mail.failed': survey,
      ...ends('', (reason) => terminate('lead', reason)),
    },
  },
  'working with a worker': {
    state: 'running.working',
    path: writerUp,
    leads: {
      'member.restart': `running.surveying | member.restarted writer user | start ${port('terminate', 'writer')} {"member":"writer","reason":"","cut":true} | start survey {}`,
      'member.addressed, nobody of ours': `running.working | ${stranger}`,
      'member.idled': survey,
      'member.crashed, the lead': `running.surveying | member.crashed lead boom | ${spawn('lead', 2)} | start survey {}`,
      'member.crashed, a worker': `running.surveying | member.crashed writer boom | ${spawn('writer', 2)} | start survey {}`,
      'member.gone, the lead': `ending.emptying | ${terminate('writer', 'lead_lost')}`,
      'member.gone, a worker': survey,
      'member.stop, a worker': `running.surveying | ${terminate('writer', 'enough')} | start survey {}`,
      'lead.ended, completed': survey,
      'request.settled': survey,
      'mail.failed': survey,
      ...ends('', (reason) => `${terminate('lead', reason)} | ${terminate('writer', reason)}`),
    },
  },
  nudging: {
    state: 'running.nudging',
    path: [...surveying, surveyed(owing)],
    leads: {
      'member.restart': `running.nudging | ${restarted}`,
      'member.stop, a worker': `running.nudging | ${stopped}`,
      'member.addressed': `running.nudging | ${spawn('writer', 1)}`,
      'member.addressed, nobody of ours': `running.nudging | ${stranger}`,
      'member.crashed, the lead': `running.nudging | member.crashed lead boom | ${spawn('lead', 2)}`,
      'member.gone, the lead': 'ended | stop nudge | team.ended failed lead_lost null',
      ...ends(' | stop nudge', (reason) => terminate('lead', reason)),
    },
  },
  emptying: {
    state: 'ending.emptying',
    path: [...writerUp, abort],
    leads: {
      'member.crashed, the lead': `ending.emptying | member.crashed lead boom | stop ${port('terminate', 'lead')}`,
      'member.crashed, a worker': `ending.emptying | member.crashed writer boom | stop ${port('terminate', 'writer')}`,
      'member.gone, the lead': `ending.emptying | stop ${port('terminate', 'lead')}`,
      'member.gone, a worker': `ending.emptying | stop ${port('terminate', 'writer')}`,
    },
  },
  collecting: {
    state: 'ending.collecting',
    path: [...surveying, surveyed(quiet), gone('lead')],
    leads: {},
  },
}

describe('state × event', () => {
  for (const [name, { state, path, leads }] of Object.entries(places)) {
    const walk = takeAll(begin(teamMachine, inputOf()), path)

    test.each(Object.entries(events))(`${name}: %s`, (event, sent) => {
      expect(isDropped(walk, sent)).toBe(false)
      expect(summary(walk, take(walk, sent))).toBe(leads[event] ?? state)
    })
  }
})

describe('paths', () => {
  const members = [
    { name: 'lead', restart: 'on-crash' },
    { name: 'writer', restart: 'always' },
  ] as const
  const explored = explore(teamMachine, {
    input: inputOf({ members, intensity: { max: 1, within_ms: 1_000 } }),
    limit: 5_000,
    events: (snapshot) => [
      ...Object.entries(events).filter(([name]) => !name.includes('nobody')),
      ...childrenOf(snapshot).flatMap(({ id }) => answersOf(id)),
    ],
    key: (snapshot) => JSON.stringify([snapshot.value, placeOf(snapshot)]),
  })

  test('reach every state, and every one can end', () => {
    expect(explored.states).toEqual(restingStates(teamMachine))
    expect(explored.dead).toEqual([])
  })

  test('say the end once, as the last fact, and never before everybody left', () => {
    const flaws = explored.edges.flatMap((walk) =>
      flawsOf(factsOf(walk.effects), isFinal(walk)).map((flaw) => `${flaw}: ${walk.path.join(' → ')}`),
    )
    expect(flaws).toEqual([])
  })

  test('leave no child behind at the end', () => {
    const left = explored.edges.filter(isFinal).flatMap(({ snapshot }) => childrenOf(snapshot).map(({ src }) => src))
    expect(left.filter((src) => src === 'spawnMember')).toEqual([])
  })
})

function answersOf(id: string): readonly (readonly [string, AnyEventObject])[] {
  const outputs = id === 'survey' ? [busy, quiet, owing] : [{ result: 'The answer.' }]
  return [
    ...outputs.map((output, index) => [`${id} answers ${index}`, doneEvent(id, output)] as const),
    [`${id} rejects`, errorEvent(id, 'disk full')],
  ]
}

/** Attempts count on for ever under a clock that stands still; the crash window bounds what matters. */
function placeOf({ context }: SnapshotFrom<typeof teamMachine>): unknown {
  const lives = Object.values(context.lives).map(({ state, crashes }) => [state, crashes.length])
  return [lives, context.nudged, context.stale, context.leaving, context.status]
}

function flawsOf(facts: readonly Fact[], isOver: boolean): readonly string[] {
  const ends = facts.filter(({ type }) => type === 'team.ended').length
  return [
    ...(ends === (isOver ? 1 : 0) ? [] : [`${ends} ends`]),
    ...(isOver && facts.at(-1)?.type !== 'team.ended' ? ['something was said after the end'] : []),
  ]
}
