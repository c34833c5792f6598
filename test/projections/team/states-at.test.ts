import { expect, test } from 'vitest'
import { statesAt } from '../../../src/projections/team/states-at.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'

const state = (sha256: string) => ({ sha256, mode: 0o644 })
const frame = { v: 1, seq: 1, id: 'ana-1', parent: null, at: 1 } as const
const changed = (path: string, before: string | null, after: string | null): Recorded => ({
  owner: 'ana',
  entry: {
    ...frame,
    type: 'files.changed',
    call_id: 'c',
    tool: 'Write',
    files: [{ path, before: before === null ? null : state(before), after: after === null ? null : state(after) }],
  },
})
const undone = (...files: string[]): Recorded => ({
  owner: 'ana',
  entry: { ...frame, type: 'turns.undone', from: 'ana-1', files, note: '' },
})

test('a file has the state before its first change since; one that was taken back since, the one that it was left in', () => {
  const story = [changed('a', null, '1'), changed('b', '0', '1'), changed('a', '1', '2'), changed('a', '2', null)]
  const { files } = statesAt([...story, undone('b')], 1)
  expect([...files]).toEqual([
    ['a', state('1')],
    ['b', state('1')],
  ])
})

test('what was taken back before the entry stays as it is', () => {
  expect([...statesAt([changed('a', '0', '1'), undone('a'), undone('a')], 1).files]).toEqual([])
})
