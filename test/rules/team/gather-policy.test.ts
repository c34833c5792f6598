import { describe, expect, test } from 'vitest'
import type { GatherPolicy } from '../../../src/protocol/team/team-card.ts'
import { gatherVerdict, type RequestStatus } from '../../../src/rules/team/gather-policy.ts'

const letters = { o: 'open', d: 'done', f: 'failed', c: 'cancelled', t: 'timed_out' } as const

const verdict = (wait: GatherPolicy['wait'], pattern: string, then: GatherPolicy['then'] = 'continue') => {
  const requests = pattern
    .split('')
    .map((letter): RequestStatus => ({ status: letters[letter as keyof typeof letters] }))
  const found = gatherVerdict({ wait, timeout_ms: 1, retry: 0, then }, requests)
  return found.settled ? found.why : 'open'
}

describe('gatherVerdict', () => {
  test.each([
    ['all', 'oo', 'open'],
    ['all', 'do', 'open'],
    ['all', 'dd', 'all'],
    ['all', 'df', 'all'],
    ['all', 'dt', 'all'],
    ['all', 'cc', 'all'],
    ['all', 'fo', 'open'],
    ['all', 'ff', 'failed'],
    ['all', 'tc', 'failed'],
    ['all', '', 'all'],
    ['any', 'oo', 'open'],
    ['any', 'fo', 'open'],
    ['any', 'do', 'any'],
    ['any', 'cc', 'any'],
    ['any', 'ft', 'failed'],
    ['progressive', 'oo', 'open'],
    ['progressive', 'do', 'progressive'],
    ['progressive', 'fo', 'progressive'],
    ['progressive', 'dd', 'progressive'],
  ] as const)('%s over %s: %s', (wait, pattern, expected) => {
    expect(verdict(wait, pattern)).toBe(expected)
  })

  test.each([
    [2, 'doo', 'open'],
    [2, 'ddo', 'quorum'],
    [2, 'dfo', 'open'],
    [2, 'ffo', 'open'],
    [2, 'ffd', 'quorum'],
    [2, 'dff', 'quorum'],
    [2, 'ooo', 'open'],
    [5, 'do', 'open'],
    [5, 'dd', 'quorum'],
    [3, 'fff', 'failed'],
  ] as const)('a quorum of %i over %s: %s', (quorum, pattern, expected) => {
    expect(verdict({ quorum }, pattern)).toBe(expected)
  })

  test('one failure is enough when the policy says so, a cancellation is none', () => {
    expect(verdict('all', 'foo', 'fail')).toBe('failed')
    expect(verdict('all', 'too', 'fail')).toBe('failed')
    expect(verdict('any', 'fd', 'fail')).toBe('failed')
    expect(verdict('all', 'coo', 'fail')).toBe('open')
  })
})
