import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { callLabel } from '../../src/projections/screen/call-label.ts'
import { applyCost, emptyCost } from '../../src/projections/cost/cost.ts'
import { mergeJournals } from '../../src/projections/fold/merge.ts'
import { applyNotices, emptyNotices } from '../../src/projections/screen/notices.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { factSchema, type Fact } from '../../src/protocol/facts/fact.ts'
import { recordedOf, settled } from './journal-of.ts'

describe('cost', () => {
  test('is kept by member and by model', () => {
    const cost = emptyCost()
    for (const recorded of recordedOf(
      ['lead', settled({ input: 1 }, { cost_usd: 1, model: 'a/x' })],
      ['writer', settled({ input: 2 }, { cost_usd: 2, model: 'a/x' })],
      ['writer', settled({ input: 4 }, { cost_usd: 4, model: 'b/y' })],
    )) {
      applyCost(cost, recorded)
    }
    const dollars = (map: Map<string, { cost_usd: number | null }>) =>
      [...map].map(([key, { cost_usd }]) => [key, cost_usd])
    expect(dollars(cost.members)).toEqual([
      ['lead', 1],
      ['writer', 6],
    ])
    expect(dollars(cost.models)).toEqual([
      ['a/x', 3],
      ['b/y', 4],
    ])
    expect(cost.total).toMatchObject({ answers: 3, cost_usd: 7 })
  })
})

describe('labels of calls', () => {
  test.each([
    ['Bash', { command: 'ls -l', description: 'list' }, 'Bash(ls -l)'],
    ['Read', { file_path: '/a/b' }, 'Read(/a/b)'],
    ['Grep', { pattern: 'x', path: '/a' }, 'Grep(x)'],
    ['LS', { path: '/a' }, 'LS(/a)'],
    ['Delegate', { subtasks: [{ worker: 'a', task: 't' }, { worker: 'b' }, null, { worker: 1 }] }, 'Delegate(a, b)'],
    ['Delegate', { subtasks: [] }, 'Delegate'],
    ['TodoWrite', { todos: [] }, 'TodoWrite'],
    ['Bash', { command: '' }, 'Bash'],
    ['Odd', null, 'Odd'],
    ['Odd', 'text', 'Odd'],
  ])('%s %j → %s', (tool, input, label) => {
    expect(callLabel(tool, input)).toBe(label)
  })
})

describe('notices', () => {
  test('come for what a person must know, and for nothing else', () => {
    const quiet: readonly Fact[] = [
      { type: 'member.woke' },
      { type: 'request.settled', request: 'r', worker: 'w', status: 'done' },
      {
        type: 'permission.decided',
        call_id: 'c',
        tool: 'Read',
        decision: { behavior: 'allow', source: 'mode', reason: '' },
      },
      { type: 'agent.ended', turn: 1, reason: 'completed' },
      { type: 'call.refused', call_id: 'c', tool: 'Edit', why: 'meaning', reason: 'Read it first.' },
    ]
    const loud: readonly (readonly [Fact, string, string])[] = [
      [{ type: 'member.crashed', member: 'w', error: 'boom' }, 'error', 'w crashed: boom'],
      [{ type: 'member.lost', member: 'w', reason: 'often' }, 'error', 'w is lost: often'],
      [{ type: 'mail.died', file: 'f.json', reason: 'bad' }, 'error', 'lead: mail f.json could not be delivered: bad'],
      [
        { type: 'mail.died', file: 'f', mail_id: 'm1', reason: 'bad' },
        'error',
        'lead: mail m1 could not be delivered: bad',
      ],
      [
        { type: 'request.settled', request: 'r', worker: 'w', status: 'timed_out', reason: '10m' },
        'warning',
        'w: work timed out: 10m',
      ],
      [{ type: 'request.settled', request: 'r', worker: 'w', status: 'failed' }, 'warning', 'w: work failed'],
      [{ type: 'warning.raised', code: 'c', message: 'm' }, 'warning', 'lead: c: m'],
      [{ type: 'event.dropped', actor: 'a', event: 'e', state: 's' }, 'warning', 'lead: a had no use for e in s'],
      [
        { type: 'agent.ended', turn: 1, reason: 'failed', failure: { code: 'overloaded', message: 'later' } },
        'error',
        'lead: overloaded: later',
      ],
      [
        {
          type: 'permission.decided',
          call_id: 'c',
          tool: 'Bash',
          decision: { behavior: 'deny', source: 'user', rule: 'Bash', reason: 'no' },
        },
        'warning',
        'lead: Bash denied by Bash: no',
      ],
      [
        {
          type: 'call.refused',
          call_id: 'c',
          tool: 'Bash',
          why: 'unknown',
          reason: 'A coordinator delegates.\nTools: …',
        },
        'warning',
        'lead: Bash refused: A coordinator delegates.',
      ],
      [
        {
          type: 'worktree.closed',
          member: 'ana',
          tree: '/shop/.troupe/worktrees/shop-01J/ana',
          branch: 'troupe/shop-01J/ana/1',
          kept: true,
          dirty: 1,
          unmerged: 0,
        },
        'warning',
        'the worktree of ana holds 1 uncommitted file: troupe worktrees merge shop-01J/ana',
      ],
    ]
    const noticesOf = (fact: Fact) => {
      const notices = emptyNotices()
      for (const recorded of recordedOf(['lead', fact])) applyNotices(notices, recorded)
      return notices
    }
    expect(quiet.flatMap(noticesOf)).toEqual([])
    for (const [fact, severity, text] of loud) expect(noticesOf(fact)).toEqual([{ severity, text }])
  })
})

describe('merging journals', () => {
  const entry = (owner: string, seq: number, at: number): Recorded => ({
    owner,
    entry: { v: 1, seq, id: `${owner}-${seq}`, parent: null, at, type: 'member.woke' },
  })
  const journals = fc
    .array(fc.array(fc.nat(50), { maxLength: 8 }), { maxLength: 4 })
    .map((all) => all.map((times, index) => times.map((at, position) => entry(`m${index}`, position + 1, at))))

  property.prop([journals])('keeps every entry, and the order of each journal', (all) => {
    const merged = mergeJournals(all)
    expect(merged).toHaveLength(all.flat().length)
    for (const [index, journal] of all.entries()) {
      expect(merged.filter(({ owner }) => owner === `m${index}`)).toEqual(journal)
    }
  })

  test('puts the earlier first, and the first journal first when times are equal', () => {
    const merged = mergeJournals([
      [entry('a', 1, 5), entry('a', 2, 9)],
      [entry('b', 1, 1), entry('b', 2, 5)],
    ])
    expect(merged.map(({ entry: { id } }) => id)).toEqual(['b-1', 'a-1', 'b-2', 'a-2'])
  })

  test('a clock that was set back does not reorder a journal', () => {
    const merged = mergeJournals([[entry('a', 1, 9), entry('a', 2, 1)], [entry('b', 1, 5)]])
    expect(merged.map(({ entry: { id } }) => id)).toEqual(['b-1', 'a-1', 'a-2'])
  })
})

test('the helper of these tests makes true facts', () => {
  expect(factSchema.safeParse(settled({ input: 1 })).success).toBe(true)
})
