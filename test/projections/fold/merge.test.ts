import { expect, test } from 'vitest'
import { mergeJournals } from '../../../src/projections/fold/merge.ts'
import type { Heard, Recorded } from '../../../src/protocol/facts/entry.ts'

function line(owner: string, seq: number, { at, heard }: { readonly at: number; readonly heard?: Heard }): Recorded {
  const frame = { v: 1, seq, id: `${owner}-${seq}`, parent: null, at, ...(heard && { heard }) } as const
  return { owner, entry: { ...frame, type: 'agent.started' } }
}

const idsOf = (journals: readonly (readonly Recorded[])[]) => mergeJournals(journals).map(({ entry }) => entry.id)

test('the earlier time comes first, and of equal times the earlier journal', () => {
  const lead = [line('lead', 1, { at: 1 }), line('lead', 2, { at: 3 })]
  expect(idsOf([[line('team', 1, { at: 2 })], lead])).toEqual(['lead-1', 'team-1', 'lead-2'])
  expect(idsOf([[line('team', 1, { at: 1 })], lead])).toEqual(['team-1', 'lead-1', 'lead-2'])
})

test('a line comes after what was heard before it, whatever the clocks say', () => {
  const lead = [line('lead', 1, { at: 5 }), line('lead', 2, { at: 5 }), line('lead', 3, { at: 5 })]
  const team = [line('team', 1, { at: 4 }), line('team', 2, { at: 5, heard: { lead: 2 } })]
  expect(idsOf([team, lead])).toEqual(['team-1', 'lead-1', 'lead-2', 'team-2', 'lead-3'])
})

test('a member has any name', () => {
  const team = [line('team', 1, { at: 1, heard: {} })]
  expect(idsOf([team, [line('constructor', 1, { at: 2 })]])).toEqual(['team-1', 'constructor-1'])
})

test('what was heard and is lost keeps nothing back', () => {
  const team = [line('team', 1, { at: 1, heard: { lead: 9, gone: 4 } }), line('team', 2, { at: 2 })]
  expect(idsOf([team, [line('lead', 1, { at: 1 })]])).toEqual(['lead-1', 'team-1', 'team-2'])
})
