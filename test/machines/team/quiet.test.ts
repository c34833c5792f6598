import { describe, expect, test } from 'vitest'
import type { Survey } from '../../../src/protocol/port.ts'
import { quiescence } from '../../../machines/team/quiet.ts'

const quiet: Survey = {
  members: [
    { name: 'lead', busy: false, undelivered: 0 },
    { name: 'writer', busy: false, undelivered: 0 },
  ],
  pendingPermissions: 0,
  open: [],
}
const owing: Survey = { ...quiet, open: ['r1'] }

describe('quiescence', () => {
  test('a quiet run with nothing open is finished, nudged or not', () => {
    expect(quiescence(quiet, false)).toBe('finished')
    expect(quiescence(quiet, true)).toBe('finished')
  })

  test('a quiet run that owes something is nudged once, then stalled', () => {
    expect(quiescence(owing, false)).toBe('nudge')
    expect(quiescence(owing, true)).toBe('stalled')
  })

  test.each([
    ['somebody is busy', { ...owing, members: [...quiet.members, { name: 'a', busy: true, undelivered: 0 }] }],
    ['mail is on its way', { ...owing, members: [...quiet.members, { name: 'a', busy: false, undelivered: 1 }] }],
    ['a permission is pending', { ...owing, pendingPermissions: 1 }],
  ])('while %s it runs', (_, survey) => {
    expect(quiescence(survey, false)).toBe('running')
    expect(quiescence(survey, true)).toBe('running')
  })
})
