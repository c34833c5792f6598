import { unbornLife } from './lives.ts'
import { endAfterLead } from './team-event.ts'
import { earlierStarts, recallNews, teamSetup, unheardNews } from './team-setup.ts'

export type { TeamEvent } from './team-event.ts'
export type { TeamInput, TeamOutput } from './team-setup.ts'

/*
 * Owns the lives of all members of one run: who is started, who is started again, who is given up, when the run ends.
 * Never holds a member: it keeps names, and reaches members through its ports only.
 * 1. Only this machine starts and restarts members; a start that fails is a crash.
 * 2. The run ends by itself only on a fresh survey: news that comes while one is being made asks for another.
 * 3. A quiet run that still owes something wakes its lead once; quiet again, it has stalled.
 * 4. Without its lead a run has failed.
 * 5. Every start passes the gate: what a limit forbids is refused aloud, what has to wait is found by a later survey.
 * 6. Ending waits until every living member is gone or its termination settled; `team.ended` is the last fact, once.
 */

export const teamMachine = teamSetup.createMachine({
  id: 'team',
  context: ({ input: { members, coordinator, intensity, deadline, bounds = {}, earlier } }) => ({
    coordinator,
    bounds,
    intensity,
    deadline,
    lives: Object.fromEntries(
      members.map(({ name, restart }) => [name, earlier?.lives[name] ?? unbornLife(name, restart)]),
    ),
    starts: earlierStarts(earlier),
    resting: [],
    recalled: earlier?.recalled ?? [],
    nudged: earlier?.nudged ?? false,
    stale: false,
    spent: earlier?.spent ?? null,
    open: [],
    leaving: [],
    status: 'failed',
    reason: 'not ended',
    result: null,
    afterwards: [],
  }),
  initial: 'idle',
  output: ({ context: { status, reason, result, afterwards } }) => ({ status, reason, result, afterwards }),
  on: {
    start: { description: 'A run starts once.' },
    abort: { target: '.ending', actions: { type: 'end', params: { status: 'aborted', reason: 'aborted' } } },
    'budget.spent': { actions: 'markSpent' },
    'deadline.passed': { target: '.ending', actions: { type: 'end', params: { status: 'budget', reason: 'minutes' } } },
    'gather.failed': [
      { guard: 'isCutShort', description: 'The lead reports what there is.' },
      {
        target: '.ending',
        actions: { type: 'end', params: ({ event }) => ({ status: 'failed' as const, reason: event.reason }) },
      },
    ],
    'lead.ended': [
      { guard: 'leadIsFinished', actions: 'markStale' },
      {
        target: '.ending',
        actions: { type: 'end', params: ({ context, event }) => endAfterLead(event, context.spent) },
      },
    ],
    'member.addressed': { actions: 'live' },
    'member.stop': [{ guard: 'isAboutTheLead', description: 'The lead leaves with the team.' }, { actions: 'live' }],
    'member.restart': { actions: 'live' },
    'member.stays': { actions: 'live' },
    'member.ended': { actions: 'live' },
    'member.overdue': { actions: 'live' },
    'member.crashed': [
      { guard: 'losesTheLead', target: '.ending', actions: ['live', 'endWithoutLead'] },
      { actions: 'live' },
    ],
    'member.gone': [
      { guard: 'losesTheLead', target: '.ending', actions: ['live', 'endWithoutLead'] },
      { actions: 'live' },
    ],
    'member.due': { actions: 'live' },
    'xstate.done.actor.*': { actions: 'live' },
    'xstate.error.actor.*': [
      { guard: 'losesTheLead', target: '.ending', actions: ['live', 'endWithoutLead'] },
      { actions: ['warnOfTermination', 'live'] },
    ],
    'member.woke': { actions: 'noteRest' },
    'member.idled': { actions: ['noteRest', 'markStale'] },
    'request.settled': { actions: 'markStale' },
    'mail.failed': { actions: 'markStale' },
  },
  states: {
    idle: {
      description: 'Nobody lives yet.',
      on: {
        start: {
          target: 'starting',
          actions: [
            'setAlarm',
            {
              type: 'live',
              params: ({ context, event }) => ({ news: recallNews(context, event.at) }),
            },
          ],
        },
        'member.addressed': {},
        'member.stop': {},
        'member.restart': {},
        'member.stays': {},
        'member.ended': {},
        'member.crashed': {},
        'member.gone': {},
        'member.due': {},
        'lead.ended': {},
        'gather.failed': {},
      },
    },
    starting: {
      description: 'The lead is being started.',
      always: { guard: 'leadIsStarted', target: 'running' },
    },
    running: {
      description: 'Members work; the run goes on until it is quiet or told to end.',
      initial: 'working',
      states: {
        working: {
          description: 'Somebody is busy, or mail is on its way.',
          always: { guard: 'mustSurvey', target: 'surveying' },
        },
        surveying: {
          description: 'The run directory is read to see whether everybody is quiet.',
          entry: 'markFresh',
          invoke: {
            id: 'survey',
            src: 'survey',
            onDone: [
              { guard: 'mustSurvey', target: 'surveying', reenter: true },
              {
                guard: { type: 'isFinished', params: ({ event }) => event.output },
                target: '#team.ending',
                actions: { type: 'endQuiet', params: { status: 'completed', reason: 'completed' } },
              },
              {
                guard: { type: 'hasStalled', params: ({ event }) => event.output },
                target: '#team.ending',
                actions: { type: 'endQuiet', params: { status: 'failed', reason: 'stalled' } },
              },
              {
                guard: { type: 'isStuck', params: ({ event }) => event.output },
                target: 'nudging',
                actions: [{ type: 'remember', params: ({ event }) => event.output }, 'stateNudge'],
              },
              {
                target: 'working',
                actions: {
                  type: 'live',
                  params: ({ context, event }) => ({ news: unheardNews(context, event.output) }),
                },
              },
            ],
            onError: { target: '#team.ending', actions: 'endUnled' },
          },
          on: { 'member.woke': { actions: ['noteRest', 'markStale'] } },
        },
        nudging: {
          description: 'The quiet lead is told what is still open.',
          entry: 'markFresh',
          invoke: {
            id: 'nudge',
            src: 'nudgeLead',
            input: ({ context }) => ({ open: context.open }),
            onDone: 'working',
            onError: { target: '#team.ending', actions: 'endUnled' },
          },
        },
      },
    },
    ending: {
      description: 'How the run ends is decided; nobody is started any more.',
      entry: 'terminateAll',
      initial: 'emptying',
      on: {
        abort: {},
        'budget.spent': {},
        'deadline.passed': {},
        'gather.failed': {},
        'lead.ended': {},
        'member.addressed': {},
        'member.due': {},
        'member.stop': {},
        'member.restart': {},
        'member.stays': {},
        'member.ended': {},
        'member.overdue': {},
        'member.crashed': { actions: 'letGo' },
        'member.gone': { actions: 'letGo' },
        'xstate.done.actor.*': { actions: 'letGo' },
        'xstate.error.actor.*': { actions: ['warnOfTermination', 'letGo'] },
      },
      states: {
        emptying: {
          description: 'Every living member is told to leave.',
          always: [
            { guard: 'hasReport', target: 'collecting' },
            { guard: 'isEmpty', target: '#team.ended' },
          ],
        },
        collecting: {
          description: "The lead's answer is read.",
          invoke: {
            id: 'collect',
            src: 'collect',
            onDone: { target: '#team.ended', actions: { type: 'keepResult', params: ({ event }) => event.output } },
            onError: { target: '#team.ended', actions: 'endUnled' },
          },
        },
      },
    },
    ended: { description: 'The run is over.', type: 'final', entry: 'stateEnd' },
  },
})
