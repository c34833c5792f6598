import type { SnapshotFrom } from 'xstate'
import { coordinatorTools, type CoordinatorPlace } from '../../src/rules/team/coordinator-tools.ts'
import { coordinatorSetup, placeIn } from './coordinator-setup.ts'

export type { CoordinatorEvent, CoordinatorInput } from './coordinator-event.ts'

/*
 * Owns the policy over the lead: which requests are out, when a round of them is over, which tools the lead has now.
 * Never talks to a model, a mailbox or a member: it hears facts and states facts.
 * 1. A request settles once; whatever comes for it later changes nothing.
 * 2. A round ends by the gather policy or by its deadline, whichever is first; what is still out then is called off.
 * 3. A failed request is handed out again while attempts last, then once to the substitute, before it counts as failed.
 * 4. A request that builds on others is handed out when they are done, and fails when one of them was not; one too many
 *    at the same time is handed out when another has ended.
 * 5. Every change of state states the tools that hold from now on: no round is opened beyond the last one.
 * 6. After `end` nothing is stated any more.
 */

export const coordinatorMachine = coordinatorSetup.createMachine({
  id: 'coordinator',
  context: ({ input: { lead, policy, partition, domain, workers, board = false, advised = false, ...input } }) => ({
    lead,
    policy,
    card: { partition, domain, board, advised },
    workers,
    concurrency: input.concurrency ?? Infinity,
    closes: input.closes ?? Infinity,
    at: input.earlier?.at ?? 0,
    book: input.earlier?.book ?? {},
    round: input.earlier?.round ?? 0,
    before: input.earlier?.before ?? 0,
    deadline: input.earlier?.deadline ?? 0,
    lost: input.earlier?.lost ?? [],
    refused: [],
    news: input.earlier?.news ?? 'none',
    earlier: input.earlier ?? null,
  }),
  initial: 'beginning',
  on: {
    'request.opened': [
      { guard: 'isNewRequest', target: '.gathering', actions: ['openRound', 'bookRequest', 'settle'] },
      { description: 'A request opens once.' },
    ],
    'request.held': [
      { guard: 'isNewRequest', target: '.gathering', actions: ['openRound', 'bookRequest', 'settle'] },
      { description: 'A request opens once.' },
    ],
    'result.received': { actions: 'settle' },
    'request.cancelled': { actions: 'settle' },
    'request.expired': { actions: 'settle' },
    'round.expired': { actions: 'settle' },
    'member.lost': { actions: ['rememberLost', 'settle'] },
    'member.refused': { actions: ['rememberRefused', 'settle'] },
    'lead.woke': {},
    'lead.briefed': { actions: 'tellNews' },
    'lead.asked': { actions: 'readNews' },
    'lead.idled': {},
    'lead.satisfied': { actions: 'settle' },
    'run.resumed': { description: 'It has taken up what there was.' },
    'xstate.done.actor.*': { actions: 'noteDone' },
    'xstate.error.actor.*': [
      { guard: 'isOfRecall', actions: ['letGo', 'warnOfRecall'] },
      { actions: ['letGo', 'settle'] },
    ],
    end: '.ended',
  },
  states: {
    beginning: {
      description:
        'Where there was an earlier leader, it waits until everybody listens, and takes up what that one left.',
      always: { guard: 'isFirst', target: 'planning' },
      on: {
        'run.resumed': [
          { guard: 'wasGathering', target: 'gathering', actions: ['restate', 'rearm', 'settle'] },
          { guard: 'wasSynthesising', target: 'synthesising', actions: ['restate', 'rearm', 'settle'] },
          { guard: 'hadAnswered', target: 'answered', actions: ['restate', 'rearm', 'settle'] },
          { guard: 'wasWaiting', target: 'waiting', actions: ['restate', 'rearm', 'settle'] },
          { target: 'planning', actions: ['restate', 'rearm', 'settle'] },
        ],
      },
    },
    planning: {
      description: 'The lead makes up its mind; nothing is out for this piece of work.',
      entry: { type: 'move', params: { state: 'planning' } },
      on: { 'lead.idled': 'waiting' },
    },
    gathering: {
      description: 'Requests are out; the round ends by the gather policy or at its deadline.',
      entry: { type: 'move', params: { state: 'gathering' } },
      always: [
        { guard: 'gathersOn', actions: 'settleGather' },
        { guard: 'isGathered', target: 'synthesising', actions: ['dismiss', 'settleGather'] },
      ],
      on: {
        'request.opened': [
          { guard: 'isNewRequest', actions: ['bookRequest', 'settle'] },
          { description: 'A request opens once.' },
        ],
        'request.held': [
          { guard: 'isNewRequest', actions: ['bookRequest', 'settle'] },
          { description: 'A request opens once.' },
        ],
        'round.expired': { guard: 'isThisRound', target: 'synthesising', actions: ['settle', 'settleLate'] },
      },
    },
    synthesising: {
      description: 'The round is over; the lead answers from its results, or opens another round while one is left.',
      entry: { type: 'move', params: { state: 'synthesising' } },
      on: {
        'lead.idled': [
          { guard: 'isUntold', description: 'It has not been told of the results yet: what it said is no answer.' },
          { guard: 'owesNothing', target: 'answered' },
          { target: 'waiting' },
        ],
      },
    },
    answered: {
      description: 'The lead has answered and nothing is out.',
      entry: { type: 'move', params: { state: 'answered' } },
      on: { 'lead.woke': 'planning' },
    },
    waiting: {
      description: "The lead's turn is over without a synthesis; mail may wake it.",
      entry: { type: 'move', params: { state: 'waiting' } },
      on: { 'lead.woke': 'planning' },
    },
    ended: { description: 'The run is over.', type: 'final' },
  },
})

/** Whether a lead that has nothing else to do stays parked: its requests are still being gathered. */
export function holdsLead(snapshot: SnapshotFrom<typeof coordinatorMachine>): boolean {
  return snapshot.matches('gathering') && snapshot.context.news === 'none'
}

/** The place of the coordinator in its plan; null before it has begun and after its end. */
export function placeNow({ value, context }: SnapshotFrom<typeof coordinatorMachine>): CoordinatorPlace | null {
  return value === 'ended' || value === 'beginning' ? null : placeIn(value, context)
}

/** The names of the tools that the lead has in this moment. */
export function toolsNow(snapshot: SnapshotFrom<typeof coordinatorMachine>): readonly string[] {
  const place = placeNow(snapshot)
  return place ? coordinatorTools(place, snapshot.context.card) : []
}
