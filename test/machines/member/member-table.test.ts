import { describe, expect, test } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { memberMachine, memberState } from '../../../machines/member/member.ts'
import { memberStates } from '../../../src/protocol/team/run.ts'
import { isDropped } from '../support/dropped.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import { abort, inputOf, outcome, prompt, rang, shutdown, steer, wake } from '../support/member-world.ts'
import { summary } from '../support/summary.ts'
import { begin, childrenOf, doneEvent, factsOf, stateName, take, takeAll } from '../support/walk.ts'

const opened = doneEvent('open', { unread: 0 })
const openedToWork = doneEvent('open', { unread: 1 })
const none = doneEvent('unread', { unread: 0 })
const some = doneEvent('unread', { unread: 2 })
const finished = doneEvent('agent', outcome())
const replied = doneEvent('reply', { replied: [{ request: 'r1', mail_id: 'm1' }] })
const closed = doneEvent('close', undefined)

const events: Readonly<Record<string, AnyEventObject>> = {
  'mail.rang': rang(),
  'mail.rang, interrupt': rang('interrupt'),
  prompt: prompt('Go.'),
  steer: steer('Left.'),
  wake,
  abort,
  shutdown: shutdown(),
}

const input = (more: string): string =>
  `start agent {"agent":"writer","model":"scripted/notes","limits":{"max_turns":3},"hooked":false${more}}`
const message = (text: string): string =>
  `,"prompt":{"role":"user","origin":"person","content":[{"type":"text","text":"${text}"}]}`
const refused = 'warning.raised prompt_refused what was said to a leaving member is not heard (enough)'
const leaving = 'draining | stop inbox | start close {}'

interface Place {
  readonly state: string
  readonly path: readonly AnyEventObject[]
  /** What an event leads to; an event that is not listed changes nothing that can be seen. */
  readonly leads: Readonly<Record<string, string>>
}

const idle = [opened, none]
const busy = [openedToWork]
const replying = [...busy, finished]

const places: Readonly<Record<string, Place>> = {
  starting: {
    state: 'starting',
    path: [],
    leads: {
      'it is open': 'living.checking | stop open | member.started i1 in-process 7 | start inbox {} | start unread {}',
      'it is open and has work': `living.busy | stop open | member.started i1 in-process 7 | start inbox {} | member.woke | ${input('')}`,
    },
  },
  'starting, spoken to': {
    state: 'starting',
    path: [prompt('Go.')],
    leads: {
      'it is open': `living.busy | stop open | member.started i1 in-process 7 | start inbox {} | member.woke | ${input(message('Go.'))}`,
      'it is open and has work': `living.busy | stop open | member.started i1 in-process 7 | start inbox {} | member.woke | ${input(message('Go.'))}`,
    },
  },
  'starting, told to leave': {
    state: 'starting',
    path: [shutdown()],
    leads: {
      'it is open': 'draining | stop open | member.started i1 in-process 7 | start close {}',
      'it is open and has work': 'draining | stop open | member.started i1 in-process 7 | start close {}',
    },
  },
  'starting, spoken to and told to leave': {
    state: 'starting',
    path: [prompt('Go.'), shutdown()],
    leads: {
      'it is open': `draining | stop open | member.started i1 in-process 7 | ${refused} | start close {}`,
      'it is open and has work': `draining | stop open | member.started i1 in-process 7 | ${refused} | start close {}`,
    },
  },
  checking: {
    state: 'living.checking',
    path: [opened],
    leads: {
      shutdown: 'draining | stop unread | stop inbox | start close {}',
      'nothing is unread': 'living.idle | stop unread | member.idled nothing_to_do',
      'mail is unread': `living.busy | stop unread | member.woke | ${input('')}`,
    },
  },
  'checking, rung meanwhile': {
    state: 'living.checking',
    path: [opened, rang()],
    leads: {
      shutdown: 'draining | stop unread | stop inbox | start close {}',
      'nothing is unread': 'living.checking | stop unread | start unread {}',
      'mail is unread': `living.busy | stop unread | member.woke | ${input('')}`,
    },
  },
  'checking, spoken to meanwhile': {
    state: 'living.checking',
    path: [opened, steer('Go.')],
    leads: {
      shutdown: `draining | stop unread | stop inbox | ${refused} | start close {}`,
      'nothing is unread': `living.busy | stop unread | member.woke | ${input(message('Go.'))}`,
      'mail is unread': `living.busy | stop unread | member.woke | ${input(message('Go.'))}`,
    },
  },
  idle: {
    state: 'living.idle',
    path: idle,
    leads: {
      'mail.rang': 'living.checking | start unread {}',
      'mail.rang, interrupt': 'living.checking | start unread {}',
      wake: 'living.checking | start unread {}',
      prompt: `living.busy | member.woke | ${input(message('Go.'))}`,
      steer: `living.busy | member.woke | ${input(message('Left.'))}`,
      shutdown: leaving,
    },
  },
  busy: {
    state: 'living.busy',
    path: busy,
    leads: {
      'its agent is done':
        'living.replying | stop agent | start reply {"outcome":{"reason":"completed","turn":1},"leaving":false}',
    },
  },
  replying: {
    state: 'living.replying',
    path: replying,
    leads: { 'it replied': 'living.checking | stop reply | member.replied r1 m1 | start unread {}' },
  },
  'replying, told to leave': {
    state: 'living.replying',
    path: [...replying, shutdown()],
    leads: {
      'it replied':
        'living.replying | stop reply | member.replied r1 m1 | start reply {"outcome":{"reason":"completed","turn":1},"leaving":true}',
    },
  },
  draining: {
    state: 'draining',
    path: [...idle, shutdown()],
    leads: {
      prompt: `draining | ${refused}`,
      steer: `draining | ${refused}`,
      'it is closed': 'gone | stop close | member.drained | member.gone enough',
    },
  },
}

const answers: Readonly<Record<string, AnyEventObject>> = {
  'it is open': opened,
  'it is open and has work': openedToWork,
  'nothing is unread': none,
  'mail is unread': some,
  'its agent is done': finished,
  'it replied': replied,
  'it is closed': closed,
}

/** Answers that can come from the ports that are at work. */
const possible = (snapshot: unknown): readonly (readonly [string, AnyEventObject])[] =>
  Object.entries(answers).filter(([, { actorId }]) => childrenOf(snapshot).some(({ id }) => id === actorId))

describe('state × event', () => {
  for (const [name, { state, path, leads }] of Object.entries(places)) {
    const walk = takeAll(begin(memberMachine, inputOf()), path)

    test.each([...Object.entries(events), ...possible(walk.snapshot)])(`${name}: %s`, (event, sent) => {
      expect(isDropped(walk, sent)).toBe(false)
      expect(summary(walk, take(walk, sent))).toBe(leads[event] ?? state)
    })
  }
})

describe('paths', () => {
  const explored = explore(memberMachine, {
    input: inputOf(),
    limit: 1_000,
    events: (snapshot) => [
      ...Object.entries(events).filter(
        ([name]) => snapshot.context.prompts.length < 2 || !['prompt', 'steer'].includes(name),
      ),
      ...possible(snapshot),
    ],
    key: ({ value, context }) => {
      const { prompts, prompt: current, rang: isRung, farewell } = context
      return JSON.stringify([value, prompts.length, current !== null, isRung, farewell])
    },
  })

  test('reach every state, and every one can end', () => {
    expect(explored.states).toEqual(restingStates(memberMachine))
    expect(explored.dead).toEqual([])
  })

  test('a life starts once, and its last two facts are drained and gone', () => {
    const ends = explored.edges.filter(isFinal).map(({ effects }) => factsOf(effects).map(({ type }) => type))
    expect(ends.length).toBeGreaterThan(0)
    for (const facts of ends) {
      expect(facts.slice(-2)).toEqual(['member.drained', 'member.gone'])
      expect(facts.filter((type) => type === 'member.started')).toHaveLength(1)
    }
  })

  test('every state has its name on disk', () => {
    const names = [...explored.places.values()].map(({ snapshot }) => [stateName(snapshot), memberState(snapshot)])
    expect(Object.fromEntries(names)).toEqual({
      starting: 'starting',
      'living.checking': 'busy',
      'living.idle': 'idle',
      'living.busy': 'busy',
      'living.replying': 'busy',
      draining: 'draining',
      gone: 'gone',
    })
    expect(new Set(names.map(([, state]) => state))).toEqual(new Set(memberStates))
  })
})
