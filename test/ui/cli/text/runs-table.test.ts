import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberStates } from '../../../../src/protocol/team/run.ts'
import { type ShownRun, runsTable } from '../../../../src/ui/cli/text/runs-table.ts'
import { widthOf } from '../../../../src/ui/text/terminal-text.ts'

const id = 'research-01M83H31MHYT60SWYK44B7ZGZ3'
const now = 1_000_000_000

const run = (given: Partial<ShownRun> = {}): ShownRun => ({
  id,
  dir: `/x/${id}`,
  team: 'research',
  state: 'running',
  stale: false,
  pid: 1_234_567,
  task: null,
  created: now - 86_399_000,
  members: [
    { name: 'lead', state: 'busy', alive: true, pid: 1_234_567, unread: 2, waits_for_you: 1 },
    { name: 'reviewer-of-security', state: 'idle', alive: true, pid: 1_234_568, unread: 0, waits_for_you: 0 },
  ],
  problems: [],
  cost_usd: 12.5,
  costs: { lead: 12.5 },
  hung: ['lead'],
  waits: {},
  troubles: {},
  parts: {},
  todos: {},
  ...given,
})

test('a pipe and a wide terminal get one table', () => {
  const wide = runsTable([run()], now)
  expect(wide.split('\n').slice(0, 3)).toEqual([
    'RUN                                  STATE        PID      AGE      ALIVE   COST    UNREAD  WAITS FOR YOU',
    `${id}  running      1234567  23h 59m  2 of 2  $12.50  2       1`,
    '- lead                               busy (hung)  1234567           yes     $12.50  2       1',
  ])
  expect(runsTable([run()], now, 200)).toBe(wide)
})

test('80 columns hold everything, under an id that can be copied', () => {
  expect(runsTable([run()], now, 80)).toBe(
    [
      `${id}  running  23h 59m`,
      'MEMBER                STATE        PID      ALIVE   COST    UNREAD  FOR YOU',
      'lead                  busy (hung)  1234567  yes     $12.50  2       1',
      'reviewer-of-security  idle         1234568  yes             0',
      'all                                1234567  2 of 2  $12.50  2       1',
      '',
    ].join('\n'),
  )
})

test('a resting member says for whom it waits', () => {
  const text = runsTable([run({ waits: { 'reviewer-of-security': 'waiting for lead' } })], now, 80)
  expect(text).toContain('reviewer-of-security  waiting for lead')
  expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(80)
})

test('no row of any run wraps at 80 columns, and each id is whole', () => {
  const member = fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,62}$/),
    state: fc.constantFrom(...memberStates, 'not_started' as const),
    alive: fc.boolean(),
    pid: fc.option(fc.integer({ min: 1, max: 4_194_304 })),
    unread: fc.integer({ min: 0, max: 10_000 }),
    waits_for_you: fc.integer({ min: 0, max: 9_999 }),
  })
  const any = fc.record({
    team: fc.stringMatching(/^[a-z]{1,50}$/),
    stale: fc.boolean(),
    members: fc.array(member, { minLength: 1, maxLength: 9 }),
    created: fc.option(fc.integer({ min: 0, max: now })),
    cost_usd: fc.option(fc.float({ min: 0, max: 9999, noNaN: true })),
  })
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (given) => {
      const runs = given.map((one) =>
        run({
          ...one,
          id: `${one.team}-01M83H31MHYT60SWYK44B7ZGZ3`,
          hung: one.members.map(({ name }) => name),
          waits: Object.fromEntries(one.members.map(({ name }) => [name, `waiting for ${'x'.repeat(80)}`])),
        }),
      )
      const text = runsTable(runs, now, 80)
      expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(80)
      for (const one of runs) expect(text).toContain(one.id)
    }),
  )
})

test('a member whose work failed is failed, and one that was cut off at its work is interrupted', () => {
  const member = { alive: false, pid: null, unread: 0, waits_for_you: 0 }
  const members = [
    { ...member, name: 'cut', state: 'busy' },
    { ...member, name: 'waits', state: 'idle' },
    { ...member, name: 'idle', state: 'idle' },
    { ...member, name: 'bad', state: 'gone' },
    { ...member, name: 'anew', state: 'busy', alive: true, pid: 1 },
  ] as const
  const troubles = { bad: 'exit 3', anew: 'the failure before' }
  const text = runsTable([run({ members, troubles, hung: [], waits: { waits: 'waiting for cut' } })], now)
  const states = text
    .split('\n')
    .slice(2, -1)
    .map((line) => line.split(/ +/).slice(1, 3))
  expect(states).toEqual([
    ['cut', 'interrupted'],
    ['waits', 'interrupted'],
    ['idle', 'idle'],
    ['bad', 'failed'],
    ['anew', 'busy'],
  ])
})
