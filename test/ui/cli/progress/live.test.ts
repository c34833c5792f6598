import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { applyRoster, emptyRoster, type MemberView } from '../../../../src/projections/screen/roster.ts'
import type { Fact } from '../../../../src/protocol/facts/fact.ts'
import { type Paint, widthOf } from '../../../../src/ui/text/terminal-text.ts'
import { paintFor } from '../../../../src/ui/text/theme.ts'
import { memberLine, nameWidthOf } from '../../../../src/ui/cli/progress/live.ts'
import { appended, recordedOf, says, settled } from '../../../projections/journal-of.ts'

const plain: Paint = (_, text) => text

function view(...facts: readonly Fact[]): MemberView {
  const roster = emptyRoster(['historian'])
  for (const recorded of recordedOf(...facts.map((fact) => ['historian', fact] as const))) applyRoster(roster, recorded)
  return roster.get('historian') as MemberView
}

const line = (member: MemberView, columns = 80) => memberLine(member, { columns, nameWidth: 9, paint: plain })
const bash = appended(says('', { id: 'c', name: 'Bash', input: { command: 'git log\n--oneline' } }))

describe('a member on a line', () => {
  test.each([
    ['not started', [], '○ historian -                     0'],
    [
      'thinking',
      [{ type: 'member.woke' }, { type: 'model.requested', turn: 2, model: 'm' }],
      '● historian thinking    t2        0',
    ],
    [
      'acting',
      [{ type: 'member.woke' }, settled({ input: 12_345 }), bash, { type: 'call.started', call_id: 'c', tool: 'Bash' }],
      '» historian acting            12.3k  Bash(git log --oneline)',
    ],
    [
      'waiting for approval',
      [
        { type: 'member.woke' },
        bash,
        {
          type: 'permission.requested',
          call_id: 'c',
          tool: 'Bash',
          request: 'historian-1-1',
          decision: { behavior: 'ask', source: 'mode', reason: '' },
          deadline: null,
        },
      ],
      '? historian asks you              0  Bash(git log --oneline)',
    ],
    ['waiting', [{ type: 'member.woke' }, { type: 'agent.parked', turn: 1 }], '◌ historian waiting               0'],
    [
      'idle, with its last words',
      [appended(says('found\nit')), { type: 'member.idled' }],
      '○ historian idle                  0  found it',
    ],
    ['gone', [{ type: 'member.gone', reason: 'x' }], '· historian gone                  0'],
  ] as const)('%s', (_, facts, shown) => {
    expect(line(view(...facts))).toBe(shown)
  })

  test('a crashed member says why', () => {
    const roster = emptyRoster(['historian'])
    const [crash] = recordedOf(['team', { type: 'member.crashed', member: 'historian', error: 'boom' }])
    if (crash) applyRoster(roster, crash)
    expect(line(roster.get('historian') as MemberView)).toBe('✗ historian crashed               0  boom')
  })

  const anyText = fc.string({ unit: fc.constantFrom('a', '日', '👩‍👩‍👧', '\u001b[2J', '\n', '🇩🇪') })
  property.prop([anyText, fc.integer({ min: 1, max: 120 })])(
    'fits any terminal, whatever was said',
    (text, columns) => {
      const shown = line(view({ type: 'member.woke' }, appended(says(text))), columns)
      expect(widthOf(shown)).toBeLessThanOrEqual(columns)
      expect(shown).not.toMatch(/[\u0000-\u001f]/)
    },
  )

  test('has the same text with and without colour', () => {
    const coloured = memberLine(view(bash), { columns: 80, nameWidth: 9, paint: paintFor({ isTTY: true }, {}) })
    expect(coloured).toContain('\u001b[')
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(line(view(bash)))
  })
})

test('the name column is as wide as the longest name, within reason', () => {
  expect(nameWidthOf(['a', 'historian'])).toBe(9)
  expect(nameWidthOf(['a'])).toBe(4)
  expect(nameWidthOf(['x'.repeat(60)])).toBe(24)
})

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: false }, { FORCE_COLOR: '1' }, false],
  [{}, {}, false],
])('colour on %j with %j: %s', (stream, env, coloured) => {
  expect(paintFor(stream, env)('red', 'x') !== 'x').toBe(coloured)
})
