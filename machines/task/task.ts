import { outOfTime, taskSetup, type TaskContext } from './task-setup.ts'

export type { TaskEvent, TaskInput } from './task-setup.ts'

/*
 * One task of the board, from its creation to its end. The leader runs one of these per task.
 * Owns: who may move the task where, and what everybody is told about it. Never reads files, runs commands or wakes anyone.
 * 1. It is claimed by one member at a time; each claim has an epoch and ends by itself when its lease runs out or its
 *    holder is lost. What an earlier holder still says is refused.
 * 2. It cannot be claimed before everything that blocks it is done; when that can never be, it is cancelled.
 * 3. It is done only by its holder, only with the evidence that the board asks for, checked, and where the board wants a
 *    review only after another member confirmed it. Who held it before and does not know that it was lost confirms nothing.
 *    The evidence is checked when it is given, and once more when it is confirmed: what ends the task is always a check.
 * 4. Every ask is answered by exactly one fact that names the ask's mail. A claim that lapses while its evidence is
 *    checked counts when the evidence holds.
 */

const refusedIn = (state: 'blocked' | 'open' | 'claimed' | 'verifying' | 'review' | 'confirming') =>
  ({ actions: { type: 'refuse', params: { state } } }) as const

const cancelledBy = {
  guard: 'mayCancel',
  target: '#task.cancelled',
  actions: {
    type: 'finish',
    params: ({ event }: { event: { type: string; reason?: string } }) => ({
      status: 'cancelled' as const,
      reason: event.reason ?? '',
    }),
  },
} as const

const lostHolder = {
  guard: 'losesHolder',
  target: 'open',
  actions: {
    type: 'release',
    params: ({ event }: { event: { type: string; reason?: string } }) => ({ reason: event.reason ?? '' }),
  },
} as const

const overdue = {
  guard: 'isThisLease',
  target: 'open',
  actions: { type: 'release', params: { reason: outOfTime } },
} as const

const check = {
  id: 'check',
  src: 'check',
  input: ({ context: { task, by, evidence, policy } }: { context: TaskContext }) => {
    return { task, by: by ?? '', evidence, checks: policy.checks }
  },
} as const

export const taskMachine = taskSetup.createMachine({
  id: 'task',
  context: ({ input: { task, author, policy, blockers, recalled } }) => ({
    task,
    author,
    policy,
    blockers,
    recalled: recalled ?? null,
    by: recalled?.by ?? null,
    epoch: recalled?.epoch ?? 0,
    until: recalled?.until ?? 0,
    evidence: recalled?.evidence ?? [],
    asked: '',
    confirmer: null,
    lapsed: null,
    unaware: recalled?.unaware ?? [],
  }),
  initial: 'placing',
  on: {
    'blocker.ended': {},
    'member.lost': {},
    'lease.expired': {},
  },
  states: {
    placing: {
      description: 'Put where its journal left it, or where its blockers say.',
      always: [
        { guard: 'wasClaimed', target: 'claimed', actions: 'rearm' },
        { guard: 'wasInReview', target: 'review' },
        { guard: 'isFree', target: 'open' },
        { target: 'blocked' },
      ],
    },
    blocked: {
      description: 'Something has to be done before.',
      on: {
        'blocker.ended': [
          {
            guard: 'canNeverBegin',
            target: 'cancelled',
            actions: {
              type: 'finish',
              params: ({ event }) => ({
                status: 'cancelled' as const,
                reason: `it waited for task ${event.task}, which ${event.status === 'failed' ? 'failed' : 'was cancelled'}`,
              }),
            },
          },
          { guard: 'blocksNoMore', target: 'open', actions: ['unblock', 'stateOpen'] },
          { actions: 'unblock' },
        ],
        cancel: [cancelledBy, { actions: 'refuseCancel' }],
        claim: refusedIn('blocked'),
        submit: refusedIn('blocked'),
        reject: refusedIn('blocked'),
      },
    },
    open: {
      description: 'Anyone may claim it.',
      on: {
        claim: { target: 'claimed', actions: 'claim' },
        cancel: [cancelledBy, { actions: 'refuseCancel' }],
        submit: refusedIn('open'),
        reject: refusedIn('open'),
      },
    },
    claimed: {
      description: 'One member works on it.',
      on: {
        claim: [{ guard: 'isHolder', actions: 'claim' }, refusedIn('claimed')],
        submit: [
          { guard: 'isStranger', ...refusedIn('claimed') },
          { guard: 'lacksEvidence', actions: 'refuseEvidence' },
          { target: 'verifying', actions: 'keepSubmission' },
        ],
        reject: [
          { guard: 'isStranger', ...refusedIn('claimed') },
          {
            target: 'failed',
            actions: {
              type: 'finish',
              params: ({ event }) => ({ status: 'failed' as const, reason: event.reason }),
            },
          },
        ],
        cancel: [cancelledBy, { actions: 'refuseCancel' }],
        'member.lost': [lostHolder, {}],
        'lease.expired': [overdue, {}],
      },
    },
    verifying: {
      description: 'The evidence of its holder is checked.',
      invoke: {
        ...check,
        onDone: [
          { guard: 'holdsForReview', target: 'review', actions: 'stateSubmission' },
          { guard: 'holds', target: 'done', actions: { type: 'finish', params: { status: 'done' } } },
          { guard: 'hasLapsed', target: 'open', actions: ['refuseEvidence', 'releaseLapsed'] },
          { target: 'claimed', actions: 'refuseEvidence' },
        ],
        onError: [
          { guard: 'hasLapsed', target: 'open', actions: ['refuseEvidence', 'releaseLapsed'] },
          { target: 'claimed', actions: 'refuseEvidence' },
        ],
      },
      on: {
        claim: refusedIn('verifying'),
        submit: refusedIn('verifying'),
        reject: refusedIn('verifying'),
        cancel: refusedIn('verifying'),
        'member.lost': [{ guard: 'losesHolder', actions: 'noteLapse' }, {}],
        'lease.expired': [{ guard: 'isThisLease', actions: 'noteLapse' }, {}],
      },
    },
    review: {
      description: 'Done by its holder; another member has to confirm it.',
      on: {
        submit: [
          { guard: 'isUnaware', actions: 'enlighten' },
          { guard: 'isStranger', target: 'confirming', actions: 'keepConfirmation' },
          refusedIn('review'),
        ],
        reject: [
          { guard: 'isUnaware', actions: 'enlighten' },
          {
            guard: 'isStranger',
            target: 'open',
            actions: {
              type: 'release',
              params: ({ event }) => ({ reason: `${event.by} did not confirm it: ${event.reason}` }),
            },
          },
          refusedIn('review'),
        ],
        claim: refusedIn('review'),
        cancel: [cancelledBy, { actions: 'refuseCancel' }],
      },
    },
    confirming: {
      description: 'Another member confirms it; its evidence is checked once more.',
      invoke: {
        ...check,
        onDone: [
          { guard: 'holds', target: 'done', actions: { type: 'finish', params: { status: 'done' } } },
          { target: 'review', actions: 'refuseEvidence' },
        ],
        onError: { target: 'review', actions: 'refuseEvidence' },
      },
      on: {
        submit: refusedIn('confirming'),
        reject: refusedIn('confirming'),
        claim: refusedIn('confirming'),
        cancel: refusedIn('confirming'),
      },
    },
    done: { description: 'Done, for good.', type: 'final' },
    failed: { description: 'Its holder gave it up.', type: 'final' },
    cancelled: { description: 'Nobody needs it any more, or it can never begin.', type: 'final' },
  },
})
