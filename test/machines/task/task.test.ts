import { describe, expect, test } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { taskMachine, type TaskInput } from '../../../machines/task/task.ts'
import type { TaskPolicy } from '../../../src/protocol/work/task.ts'
import { isDropped } from '../support/dropped.ts'
import { explore, restingStates } from '../support/explore.ts'
import { summary } from '../support/summary.ts'
import { begin, childrenOf, doneEvent, errorEvent, factsOf, take, takeAll } from '../support/walk.ts'

const plain: TaskPolicy = { evidence: [], review: false, lease_ms: 100, checks: { tests: 'npm test' } }

function inputOf(policy: Partial<TaskPolicy> = {}, blockers: readonly number[] = []): TaskInput {
  return { task: 3, author: 'lead', policy: { ...plain, ...policy }, blockers }
}

const evidence = [{ check: 'tests' }]
const claim = (by: string, at = 10) => ({ type: 'claim', by, mail_id: `claim-${by}`, at })
const submit = (by: string, given: unknown = evidence) => {
  return { type: 'submit', by, evidence: given, mail_id: `submit-${by}`, at: 20 }
}
const reject = (by: string) => ({ type: 'reject', by, reason: 'too hard', mail_id: `reject-${by}`, at: 20 })
const cancel = (by: string) => ({ type: 'cancel', by, reason: 'not needed', mail_id: `cancel-${by}`, at: 20 })
const ended = (task: number, status: string) => ({ type: 'blocker.ended', task, status, at: 15 })
const lost = (member: string) => ({ type: 'member.lost', member, reason: 'crashed', at: 20 })
const expired = (epoch: number) => ({ type: 'lease.expired', epoch, at: 110 })
const passed = doneEvent('check', { ok: true })
const flawed = doneEvent('check', { ok: false, reason: 'tests failed' })
const broken = errorEvent('check', 'no shell')

const events: Readonly<Record<string, AnyEventObject>> = {
  'ann claims': claim('ann'),
  'ben claims': claim('ben'),
  'ann submits': submit('ann'),
  'ann submits a failure': submit('ann', [{ command: 'make', exit_code: 2 }]),
  'ben submits': submit('ben'),
  'ann rejects': reject('ann'),
  'ben rejects': reject('ben'),
  'ann cancels': cancel('ann'),
  'ben cancels': cancel('ben'),
  'lead cancels': cancel('lead'),
  'task 1 done': ended(1, 'done'),
  'task 1 failed': ended(1, 'failed'),
  'task 1 cancelled': ended(1, 'cancelled'),
  'task 9 failed': ended(9, 'failed'),
  'ann lost': lost('ann'),
  'ben lost': lost('ben'),
  'lease expired': expired(1),
  'an old lease expired': expired(0),
  'check passes': passed,
  'check fails': flawed,
  'check breaks': broken,
}

const all = (answer: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, answer.replaceAll('$', mailOf(name))]))
const mailOf = (name: string): string => {
  const [who = '', what = ''] = name.split(' ')
  return `${what.replace(/s$/, '').replace(/^claim.*/, 'claim')}-${who}`
}
const refused = (state: string, reason: string, names: readonly string[]) =>
  all(`${state} | task.refused 3 $ Task 3: ${reason}`, names)

const asks = ['ann claims', 'ben claims', 'ann submits', 'ann submits a failure', 'ben submits']
const rejections = ['ann rejects', 'ben rejects']
const onlyOwners = 'only lead, who created it, or who holds it may cancel it.'
const unawareText = 'your claim had ended, and ann did it since. To confirm that, look at it first, then say it again.'
const cancelledBy = (who: string, by = who) => `cancelled | task.finished 3 ${by} cancelled not needed cancel-${who}`
const claimedBy = (who: string, epoch = 1) =>
  `claimed | task.claimed 3 ${who} ${epoch} 110 claim-${who} | alarm lease.expired in 100`
const startCheck = 'start check {"task":3,"by":"ann","evidence":[{"check":"tests"}],"checks":{"tests":"npm test"}}'

interface Place {
  readonly state: string
  readonly input: TaskInput
  readonly path: readonly AnyEventObject[]
  readonly leads: Readonly<Record<string, string>>
}

const leadsWhileVerifying = refused('verifying', 'the evidence that ann gave is being checked.', [
  ...asks,
  ...rejections,
  'ann cancels',
  'ben cancels',
  'lead cancels',
])

const leadsInReview = {
  ...refused('review', 'ann did it; it waits for another member to confirm it.', [
    'ann claims',
    'ben claims',
    'ann submits',
    'ann submits a failure',
    'ann rejects',
  ]),
  'ann cancels': cancelledBy('ann'),
  'ben cancels': `review | task.refused 3 cancel-ben Task 3: ${onlyOwners}`,
  'lead cancels': cancelledBy('lead', 'ann'),
}

const places: Readonly<Record<string, Place>> = {
  blocked: {
    state: 'blocked',
    input: inputOf({}, [1, 2]),
    path: [],
    leads: {
      ...refused('blocked', 'it waits for task 1, task 2.', [...asks, ...rejections]),
      ...refused('blocked', onlyOwners, ['ann cancels', 'ben cancels']),
      'lead cancels': cancelledBy('lead'),
      'task 1 failed': 'cancelled | task.finished 3 lead cancelled it waited for task 1, which failed',
      'task 1 cancelled': 'cancelled | task.finished 3 lead cancelled it waited for task 1, which was cancelled',
    },
  },
  'blocked by one': {
    state: 'blocked',
    input: inputOf({}, [1, 2]),
    path: [ended(2, 'done')],
    leads: {
      ...refused('blocked', 'it waits for task 1.', [...asks, ...rejections]),
      ...refused('blocked', onlyOwners, ['ann cancels', 'ben cancels']),
      'lead cancels': cancelledBy('lead'),
      'task 1 done': 'open | task.opened 3',
      'task 1 failed': 'cancelled | task.finished 3 lead cancelled it waited for task 1, which failed',
      'task 1 cancelled': 'cancelled | task.finished 3 lead cancelled it waited for task 1, which was cancelled',
    },
  },
  open: {
    state: 'open',
    input: inputOf(),
    path: [],
    leads: {
      'ann claims': claimedBy('ann'),
      'ben claims': claimedBy('ben'),
      ...refused('open', 'nobody holds it: claim it first.', [
        'ann submits',
        'ann submits a failure',
        'ben submits',
        ...rejections,
      ]),
      ...refused('open', onlyOwners, ['ann cancels', 'ben cancels']),
      'lead cancels': cancelledBy('lead'),
    },
  },
  claimed: {
    state: 'claimed',
    input: inputOf(),
    path: [claim('ann')],
    leads: {
      'ann claims': claimedBy('ann', 2),
      ...refused('claimed', 'ann holds it.', ['ben claims', 'ben submits', 'ben rejects']),
      'ann submits': `verifying | ${startCheck}`,
      ...refused('claimed', '`make` ended with exit code 2: that does not show that the task is done.', [
        'ann submits a failure',
      ]),
      'ann rejects': 'failed | task.finished 3 ann failed too hard reject-ann',
      'ann cancels': cancelledBy('ann'),
      'ben cancels': `claimed | task.refused 3 cancel-ben Task 3: ${onlyOwners}`,
      'lead cancels': cancelledBy('lead', 'ann'),
      'ann lost': 'open | task.released 3 ann 1 crashed',
      'lease expired': 'open | task.released 3 ann 1 its time ran out',
    },
  },
  verifying: {
    state: 'verifying',
    input: inputOf(),
    path: [claim('ann'), submit('ann')],
    leads: {
      ...leadsWhileVerifying,
      'check passes': 'done | stop check | task.finished 3 ann done [{"check":"tests"}] submit-ann',
      'check fails': 'claimed | stop check | task.refused 3 submit-ann Task 3: tests failed',
      'check breaks':
        'claimed | stop check | task.refused 3 submit-ann Task 3: the evidence could not be checked: no shell',
    },
  },
  'verifying for one who was lost': {
    state: 'verifying',
    input: inputOf(),
    path: [claim('ann'), submit('ann'), lost('ann')],
    leads: {
      ...leadsWhileVerifying,
      'check passes': 'done | stop check | task.finished 3 ann done [{"check":"tests"}] submit-ann',
      'check fails':
        'open | stop check | task.refused 3 submit-ann Task 3: tests failed | task.released 3 ann 1 crashed',
      'check breaks':
        'open | stop check | task.refused 3 submit-ann Task 3: the evidence could not be checked: no shell | task.released 3 ann 1 crashed',
    },
  },
  review: {
    state: 'review',
    input: inputOf({ review: true }),
    path: [claim('ann'), submit('ann'), passed],
    leads: {
      ...leadsInReview,
      'ben submits': `confirming | ${startCheck}`,
      'ben rejects': 'open | task.released 3 ann 1 ben did not confirm it: too hard reject-ben',
    },
  },
  confirming: {
    state: 'confirming',
    input: inputOf({ review: true }),
    path: [claim('ann'), submit('ann'), passed, submit('ben')],
    leads: {
      ...refused('confirming', 'ben confirms it; its evidence is being checked.', [
        ...asks,
        ...rejections,
        'ann cancels',
        'ben cancels',
        'lead cancels',
      ]),
      'check passes': 'done | stop check | task.finished 3 ann done [{"check":"tests"}] ben submit-ben',
      'check fails': 'review | stop check | task.refused 3 submit-ben Task 3: tests failed',
      'check breaks':
        'review | stop check | task.refused 3 submit-ben Task 3: the evidence could not be checked: no shell',
    },
  },
  'review of what another held before': {
    state: 'review',
    input: inputOf({ review: true }),
    path: [claim('ben'), expired(1), claim('ann'), submit('ann'), passed],
    leads: {
      ...leadsInReview,
      ...refused('review', unawareText, ['ben submits', 'ben rejects']),
    },
  },
}

describe('state × event', () => {
  for (const [name, { state, input, path, leads }] of Object.entries(places)) {
    const walk = takeAll(begin(taskMachine, input), path)
    const isChecking = childrenOf(walk.snapshot).length > 0
    const possible = Object.entries(events).filter(([event]) => isChecking || !event.startsWith('check'))

    test.each(possible)(`${name}: %s`, (event, sent) => {
      expect(isDropped(walk, sent)).toBe(false)
      expect(summary(walk, take(walk, sent))).toBe(leads[event] ?? state)
    })
  }

  test('a board that wants evidence refuses a submission without it', () => {
    const walk = takeAll(begin(taskMachine, inputOf({ evidence: ['check'] })), [claim('ann')])
    const next = take(walk, submit('ann', []))
    expect(summary(walk, next)).toBe(
      'claimed | task.refused 3 submit-ann Task 3: This board wants evidence of what is done: the name of a declared check.',
    )
  })
})

test('an earlier holder that was told so may confirm what another did', () => {
  const walk = takeAll(begin(taskMachine, inputOf({ review: true })), [
    claim('ben'),
    lost('ben'),
    claim('ann'),
    submit('ann'),
    passed,
    submit('ben'),
  ])
  expect(walk.snapshot.value).toBe('review')
  expect(takeAll(walk, [submit('ben'), passed]).snapshot.value).toBe('done')
})

test('what holds no more when it is confirmed is not done', () => {
  const walk = takeAll(begin(taskMachine, inputOf({ review: true })), [claim('ann'), submit('ann'), passed])
  const held = takeAll(walk, [submit('ben'), flawed])
  expect(held.snapshot.value).toBe('review')
  expect(takeAll(held, [reject('ben'), claim('ben')]).snapshot.value).toBe('claimed')
})

describe('a task that a journal knows', () => {
  const recalled = { by: 'ann', epoch: 4, until: 150, evidence: [], unaware: [], at: 120 } as const
  const recall = (state: 'blocked' | 'open' | 'claimed' | 'verifying' | 'review') =>
    begin(taskMachine, { ...inputOf(), recalled: { ...recalled, state } })

  test.each(['claimed', 'verifying'] as const)('that was %s is held again, for what is left of its time', (state) => {
    const walk = recall(state)
    expect(walk.snapshot.value).toBe('claimed')
    expect(walk.effects).toEqual([{ kind: 'alarm', event: { type: 'lease.expired', epoch: 4, at: 150 }, delay: 30 }])
    expect(take(walk, expired(4)).snapshot.value).toBe('open')
  })

  test('that was under review still is, and its author still is not its reviewer', () => {
    const walk = recall('review')
    expect(walk.snapshot.value).toBe('review')
    expect(take(walk, submit('ann')).snapshot.value).toBe('review')
    expect(takeAll(walk, [submit('ben'), passed]).snapshot.value).toBe('done')
  })

  test('still tells an earlier holder that its claim ended', () => {
    const unaware = ['ben']
    const walk = begin(taskMachine, { ...inputOf(), recalled: { ...recalled, unaware, state: 'review' } })
    expect(take(walk, submit('ben')).snapshot.value).toBe('review')
  })

  test('that was blocked is placed by what still blocks it', () => {
    const walk = begin(taskMachine, { ...inputOf({}, [1]), recalled: { ...recalled, state: 'blocked' } })
    expect(walk.snapshot.value).toBe('blocked')
    expect(recall('open').snapshot.value).toBe('open')
  })
})

describe('paths', () => {
  const explored = explore(taskMachine, {
    input: inputOf({ review: true }, [1]),
    limit: 3_000,
    events: (snapshot) =>
      Object.entries(events).filter(([name]) => childrenOf(snapshot).length > 0 || !name.startsWith('check')),
    key: ({ value, context: { by, blockers, epoch, lapsed, unaware } }) =>
      JSON.stringify([value, by, blockers, Math.min(epoch, 2), lapsed, unaware.toSorted()]),
  })

  test('reach every state, and every one can end', () => {
    expect(explored.states).toEqual(restingStates(taskMachine))
    expect(explored.dead).toEqual([])
  })

  test('answer every ask once, and end once', () => {
    const flaws = explored.edges.flatMap(({ path, effects, snapshot }) => {
      const facts = factsOf(effects)
      const asked = path.filter((name) => / (claims|submits|rejects|cancels)/.test(name)).length
      const open = childrenOf(snapshot).length
      const answered = facts.filter((fact) => 'mail_id' in fact).length
      const endings = facts.filter(({ type }) => type === 'task.finished').length
      return asked - open === answered && endings <= 1
        ? []
        : [`${asked} asked, ${answered} answered: ${path.join(' → ')}`]
    })
    expect(flaws).toEqual([])
  })
})
