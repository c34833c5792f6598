import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  keptFor,
  nearlyUsed,
  nothing,
  plus,
  weighCall,
  worstCase,
  type Account,
  type CallNeed,
} from '../../../src/rules/team/call-budget.ts'

const open = { usd: Infinity, tokens: Infinity, turns: Infinity }

function account(more: Partial<Account> = {}): Account {
  const base = {
    scope: 'team',
    spent: nothing,
    held: nothing,
    kept: nothing,
    closing: Infinity,
    closed: Infinity,
  } as const
  return { ...base, cap: open, ...more }
}

const call: CallNeed = {
  fixed: { usd: 1_000, tokens: 500, turns: 1 },
  rate: 10,
  want: 8_000,
  last: false,
  leads: true,
  at: 0,
}

test('without limits every call is made as long as it wants', () => {
  expect(weighCall([account()], call)).toEqual({ act: 'go', max_tokens: 8_000 })
})

test('an answer is cut shorter so that the worst case and a report still fit', () => {
  const verdict = weighCall([account({ cap: { ...open, usd: 70_000 } })], call)
  // 70,000 less the question twice (2,000) and a report of 1,500 tokens (15,000), at 10 a token.
  expect(verdict).toEqual({ act: 'go', max_tokens: 5_300 })
})

test.each([
  ['what others hold is waited for', { held: { usd: 60_000, tokens: 0, turns: 3 } }, call, { act: 'wait' }],
  [
    'what is spent is not',
    { spent: { usd: 60_000, tokens: 0, turns: 3 } },
    call,
    { act: 'stop', unit: 'usd', scope: 'team' },
  ],
  [
    'a report takes what was kept for it',
    { spent: { usd: 60_000, tokens: 0, turns: 3 } },
    { ...call, last: true },
    { act: 'go', max_tokens: 900 },
  ],
  [
    'a worker leaves what is kept for the coordinator',
    { spent: { usd: 60_000, tokens: 0, turns: 3 }, kept: { usd: 8_000, tokens: 0, turns: 0 } },
    { ...call, last: true, leads: false },
    { act: 'stop', unit: 'usd', scope: 'team' },
  ],
] as const)('%s', (_, more, need, verdict) => {
  expect(weighCall([account({ cap: { ...open, usd: 70_000 }, ...more })], need)).toEqual(verdict)
})

test('the last turn is for a report, and after it there is none', () => {
  const used = account({ cap: { ...open, turns: 3 }, spent: { usd: 0, tokens: 0, turns: 2 } })
  expect(weighCall([used], call)).toMatchObject({ act: 'stop', unit: 'turns' })
  expect(weighCall([used], { ...call, last: true })).toMatchObject({ act: 'go' })
  expect(weighCall([{ ...used, spent: { ...nothing, turns: 3 } }], { ...call, last: true })).toMatchObject({
    act: 'stop',
  })
})

test('time first closes for new work, then for reports', () => {
  const timed = account({ scope: 'member', closing: 90, closed: 100 })
  expect(weighCall([timed], { ...call, at: 89 })).toMatchObject({ act: 'go' })
  expect(weighCall([timed], { ...call, at: 90 })).toEqual({ act: 'stop', unit: 'minutes', scope: 'member' })
  expect(weighCall([timed], { ...call, at: 99, last: true })).toMatchObject({ act: 'go' })
  expect(weighCall([timed], { ...call, at: 100, last: true })).toMatchObject({ act: 'stop' })
})

test('four fifths are nearly used, and what is not limited never is', () => {
  const spent = { usd: 80, tokens: 79, turns: 1_000 }
  expect(nearlyUsed(account({ cap: { usd: 100, tokens: 100, turns: Infinity }, spent }))).toEqual(['usd'])
})

const amounts = fc.record({
  usd: fc.nat({ max: 200_000 }),
  tokens: fc.nat({ max: 200_000 }),
  turns: fc.nat({ max: 20 }),
})

test('a call that is allowed never comes to more than what every account has left', () => {
  const anyAccount = fc
    .record({ cap: amounts, spent: amounts, held: amounts, kept: amounts })
    .map((given) => account(given))
  const anyCall = fc.record({
    fixed: amounts,
    rate: fc.nat({ max: 100 }),
    want: fc.integer({ min: 1, max: 50_000 }),
    last: fc.boolean(),
    leads: fc.boolean(),
    at: fc.constant(0),
  })
  fc.assert(
    fc.property(fc.array(anyAccount, { minLength: 1, maxLength: 2 }), anyCall, (accounts, need) => {
      const verdict = weighCall(accounts, need)
      if (verdict.act !== 'go') return
      const worst = worstCase(need, verdict.max_tokens)
      for (const { cap, spent, held } of accounts) {
        const all = plus(plus(spent, held), worst)
        for (const unit of ['usd', 'tokens', 'turns'] as const) expect(all[unit]).toBeLessThanOrEqual(cap[unit])
      }
    }),
    { numRuns: 2_000 },
  )
})

test('what is kept for the coordinator follows its latest call within bounds', () => {
  const cap = { usd: 1_000_000, tokens: Infinity, turns: 10 }
  expect(keptFor(cap, { fixed: nothing, rate: 0 })).toEqual({ usd: 50_000, tokens: 0, turns: 1 })
  expect(keptFor(cap, { fixed: { ...nothing, usd: 1_000_000 }, rate: 10 })).toEqual({
    usd: 300_000,
    tokens: 0,
    turns: 1,
  })
})
