import { evidenceIn, taskSetup } from './task-setup.ts'

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
          { guard: 'canNeverBegin', target: 'cancelled', actions: 'finishCancelled' },
          { guard: 'blocksNoMore', target: 'open', actions: ['unblock', 'stateOpen'] },
          { actions: 'unblock' },
        ],
        cancel: [{ guard: 'mayCancel', target: 'cancelled', actions: 'finishCancelled' }, { actions: 'refuseCancel' }],
        claim: { actions: { type: 'refuse', params: { state: 'blocked' } } },
        submit: { actions: { type: 'refuse', params: { state: 'blocked' } } },
        reject: { actions: { type: 'refuse', params: { state: 'blocked' } } },
      },
    },
    open: {
      description: 'Anyone may claim it.',
      on: {
        claim: { target: 'claimed', actions: 'claim' },
        cancel: [{ guard: 'mayCancel', target: 'cancelled', actions: 'finishCancelled' }, { actions: 'refuseCancel' }],
        submit: { actions: { type: 'refuse', params: { state: 'open' } } },
        reject: { actions: { type: 'refuse', params: { state: 'open' } } },
      },
    },
    claimed: {
      description: 'One member works on it.',
      on: {
        claim: [{ guard: 'isHolder', actions: 'claim' }, { actions: { type: 'refuse', params: { state: 'claimed' } } }],
        submit: [
          { guard: 'isStranger', actions: { type: 'refuse', params: { state: 'claimed' } } },
          { guard: 'lacksEvidence', actions: 'refuseEvidence' },
          { target: 'verifying', actions: 'keepSubmission' },
        ],
        reject: [
          { guard: 'isStranger', actions: { type: 'refuse', params: { state: 'claimed' } } },
          { target: 'failed', actions: 'finishFailed' },
        ],
        cancel: [{ guard: 'mayCancel', target: 'cancelled', actions: 'finishCancelled' }, { actions: 'refuseCancel' }],
        'member.lost': [{ guard: 'losesHolder', target: 'open', actions: 'release' }, {}],
        'lease.expired': [{ guard: 'isThisLease', target: 'open', actions: 'release' }, {}],
      },
    },
    verifying: {
      description: 'The evidence of its holder is checked.',
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ context }) => evidenceIn(context),
        onDone: [
          { guard: 'holdsForReview', target: 'review', actions: 'stateSubmission' },
          { guard: 'holds', target: 'done', actions: 'finishDone' },
          { guard: 'hasLapsed', target: 'open', actions: ['refuseEvidence', 'releaseLapsed'] },
          { target: 'claimed', actions: 'refuseEvidence' },
        ],
        onError: [
          { guard: 'hasLapsed', target: 'open', actions: ['refuseEvidence', 'releaseLapsed'] },
          { target: 'claimed', actions: 'refuseEvidence' },
        ],
      },
      on: {
        claim: { actions: { type: 'refuse', params: { state: 'verifying' } } },
        submit: { actions: { type: 'refuse', params: { state: 'verifying' } } },
        reject: { actions: { type: 'refuse', params: { state: 'verifying' } } },
        cancel: { actions: { type: 'refuse', params: { state: 'verifying' } } },
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
          { actions: { type: 'refuse', params: { state: 'review' } } },
        ],
        reject: [
          { guard: 'isUnaware', actions: 'enlighten' },
          { guard: 'isStranger', target: 'open', actions: 'release' },
          { actions: { type: 'refuse', params: { state: 'review' } } },
        ],
        claim: { actions: { type: 'refuse', params: { state: 'review' } } },
        cancel: [{ guard: 'mayCancel', target: 'cancelled', actions: 'finishCancelled' }, { actions: 'refuseCancel' }],
      },
    },
    confirming: {
      description: 'Another member confirms it; its evidence is checked once more.',
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ context }) => evidenceIn(context),
        onDone: [
          { guard: 'holds', target: 'done', actions: 'finishDone' },
          { target: 'review', actions: 'refuseEvidence' },
        ],
        onError: { target: 'review', actions: 'refuseEvidence' },
      },
      on: {
        submit: { actions: { type: 'refuse', params: { state: 'confirming' } } },
        reject: { actions: { type: 'refuse', params: { state: 'confirming' } } },
        claim: { actions: { type: 'refuse', params: { state: 'confirming' } } },
        cancel: { actions: { type: 'refuse', params: { state: 'confirming' } } },
      },
    },
    done: { description: 'Done, for good.', type: 'final' },
    failed: { description: 'Its holder gave it up.', type: 'final' },
    cancelled: { description: 'Nobody needs it any more, or it can never begin.', type: 'final' },
  },
})
