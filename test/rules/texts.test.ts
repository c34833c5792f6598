import { describe, expect, test } from 'vitest'
import { gatherFailureText, gatherNote, type NotedRequest } from '../../src/rules/team/gather-note.ts'
import { nudgeText } from '../../machines/team/quiet.ts'

const left = { rounds: 4, of: 5, budget: [] }

describe('gatherNote', () => {
  const noted = (statuses: readonly NotedRequest['status'][], more: Partial<NotedRequest> = {}) =>
    statuses.map((status, i): NotedRequest => ({ request: `r${i}`, worker: 'ana', task: 'Look.', status, ...more }))

  test('says of every request how it ended and on what evidence, and asks for conflicts and gaps', () => {
    const requests = noted(['done', 'failed', 'cancelled', 'timed_out'], {
      reason: 'no <time>\nat all',
      evidence: 'Read 2',
    })
    const note = gatherNote('timeout', requests, left)
    expect(note.split('\n').slice(0, 5)).toEqual([
      'The round of requests is over (timeout):',
      '- ana (r0): done. Task: "Look." Evidence: Read 2.',
      '- ana (r1): failed: no <time> at all. Task: "Look." Evidence: Read 2.',
      '- ana (r2): cancelled: no <time> at all. Task: "Look." Evidence: Read 2.',
      '- ana (r3): no result in time: no <time> at all. Task: "Look." Evidence: Read 2.',
    ])
    expect(note).toMatch(/contradict each other[^]*what is missing/)
  })

  test('says what may still be begun: rounds and budget, or nothing', () => {
    const note = gatherNote('all', noted(['done']), { ...left, budget: ['$1.50', '9 turns'] })
    expect(note).toContain('delegate it with what you know by now as context. Left: 4 of 5 rounds, $1.50, 9 turns.')
    const last = gatherNote('all', noted(['done']), { ...left, rounds: 0 })
    expect(last).toContain('This was the last of 5 rounds: nothing more can be delegated, you may only ask your user.')
  })

  test('while something is open it asks whether that is enough', () => {
    const note = gatherNote('progressive', noted(['done', 'open']), left)
    expect(note).toMatch(/Results so far[^]*ana \(r1\): no result yet[^]*StopWorker/)
  })

  test('failureText gives every reason and leaves out what was not a failure', () => {
    expect(gatherFailureText(noted(['done', 'failed', 'cancelled', 'timed_out'], { reason: 'because' }))).toBe(
      'ana (r1): failed: because; ana (r3): no result in time: because',
    )
  })
})

test('nudgeText lists what is open and asks for an end', () => {
  expect(nudgeText(['r1', 'r2'])).toBe(
    'Everybody is quiet, but this is still open:\n- r1\n- r2\nDeal with it or answer without it, and say so.',
  )
})
