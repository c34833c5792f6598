import { describe, expect, test } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { Life } from '../../../machines/team/lives.ts'
import type { EarlierTeam } from '../../../machines/team/team-setup.ts'
import { teamMachine } from '../../../machines/team/team.ts'
import { explore, restingStates } from '../support/explore.ts'
import { summary } from '../support/summary.ts'
import { abort, addressed, crashed, gone, inputOf, isUp, owing, port, quiet, surveyed } from '../support/team-news.ts'
import { begin, childrenOf, doneEvent, errorEvent, take, takeAll } from '../support/walk.ts'

const life = (name: string, more: Partial<Life> = {}): Readonly<Record<string, Life>> => ({
  [name]: {
    name,
    restart: 'on-crash',
    state: 'absent',
    attempt: 2,
    crashes: [],
    failedStarts: 0,
    at: 0,
    depth: 1,
    fresh: false,
    stop: null,
    ...more,
  },
})
const left = (more: Partial<EarlierTeam> = {}): EarlierTeam => ({
  lives: { ...life('lead'), ...life('writer') },
  recalled: [],
  nudged: false,
  spent: null,
  ...more,
})

const start = { type: 'start', at: 2_000 } as const
const alarm = 'alarm deadline.passed in 3000'
const spawn = (name: string, attempt: number): string =>
  `member.spawned ${name} ${attempt} | start ${port('spawn', name)} {"member":"${name}","attempt":${attempt}}`
const leadUp = [start, isUp('lead')]

/** What an earlier leader left, what happens then, and what that leads to. */
const cases: readonly (readonly [name: string, earlier: EarlierTeam, path: readonly AnyEventObject[], so: string])[] = [
  ['the lead is started once more', left(), [start], `starting | ${alarm} | ${spawn('lead', 3)}`],
  [
    'whoever was running is started with it',
    left({ recalled: ['lead', 'writer'] }),
    [start],
    `starting | ${alarm} | ${spawn('lead', 3)} | ${spawn('writer', 3)}`,
  ],
  [
    'a member that was never started begins with its first life',
    left(),
    [...leadUp, addressed('reader')],
    `running.surveying | ${spawn('reader', 1)}`,
  ],
  [
    'a member that was given up stays so',
    left({ lives: { ...life('lead'), ...life('writer', { state: 'lost' }) } }),
    [...leadUp, addressed('writer')],
    'running.surveying | warning.raised member_absent writer is lost or unknown (addressed)',
  ],
  [
    'crashes before count, within their time',
    left({ lives: { ...life('lead'), ...life('writer', { crashes: [1_500] }) }, recalled: ['writer'] }),
    [...leadUp, crashed('writer', 2_100)],
    `running.surveying | member.crashed writer boom | member.lost writer boom | stop ${port('spawn', 'writer')}`,
  ],
  [
    'crashes long before do not',
    left({ lives: { ...life('lead'), ...life('writer', { crashes: [100] }) }, recalled: ['writer'] }),
    [...leadUp, crashed('writer', 2_100)],
    `running.surveying | member.crashed writer boom | stop ${port('spawn', 'writer')} | alarm member.due in 500`,
  ],
  [
    'a run that its budget cut short starts nobody',
    left({ spent: 'turns' }),
    [...leadUp, addressed('reader')],
    'running.surveying | member.refused reader budget the budget of the run is used up (turns)',
  ],
  [
    'and has not completed',
    left({ spent: 'turns' }),
    [...leadUp, surveyed(quiet)],
    `ending.emptying | stop survey | start ${port('terminate', 'lead')} {"member":"lead","reason":"turns"}`,
  ],
  [
    'a lead that was reminded is not reminded again',
    left({ nudged: true }),
    [...leadUp, surveyed(owing)],
    `ending.emptying | stop survey | start ${port('terminate', 'lead')} {"member":"lead","reason":"stalled"}`,
  ],
]

describe('a run is led on', () => {
  test.each(cases)('%s', (_, earlier, path, so) => {
    const before = takeAll(begin(teamMachine, inputOf({ earlier })), path.slice(0, -1))
    const last = path.at(-1) ?? start
    expect(summary(before, take(before, last))).toBe(so)
  })

  test('a deadline that passed meanwhile ends it at once', () => {
    const walk = begin(teamMachine, inputOf({ earlier: left(), deadline: 1_000 }))
    expect(summary(walk, take(walk, start))).toBe(`starting | alarm deadline.passed in 0 | ${spawn('lead', 3)}`)
  })
})

describe('every path of a run that is led on', () => {
  const { states, dead } = explore(teamMachine, {
    input: inputOf({
      members: [
        { name: 'lead', restart: 'on-crash' },
        { name: 'writer', restart: 'on-crash' },
      ],
      earlier: left({ recalled: ['lead', 'writer'] }),
    }),
    limit: 3_000,
    events: (snapshot) => [
      ['start', start],
      ['abort', abort],
      ['lead crashed', crashed('lead', 2_100)],
      ['writer crashed', crashed('writer', 2_100)],
      ['writer gone', gone('writer', 2_100)],
      ...childrenOf(snapshot).flatMap(({ id }) => [
        ...(id === 'survey' ? [quiet, owing] : [{ result: 'The answer.' }]).map(
          (output, index) => [`${id} answers ${index}`, doneEvent(id, output)] as const,
        ),
        [`${id} rejects`, errorEvent(id, 'disk full')] as const,
      ]),
    ],
    key: ({ value, context }) => {
      const lives = Object.values(context.lives).map(({ state, crashes }) => [state, crashes.length])
      return JSON.stringify([value, lives, context.nudged, context.stale, context.leaving, context.status])
    },
  })

  test('reaches every state, and can end', () => {
    expect(states).toEqual(restingStates(teamMachine))
    expect(dead).toEqual([])
  })
})
