import { expect, test } from 'vitest'
import { refusalText } from '../../../src/rules/permissions/refusal-text.ts'

test('a rule denied it', () => {
  const decision = {
    behavior: 'deny',
    source: 'project',
    rule: 'Bash(rm *)',
    reason: 'Bash(rm *) matches rm x',
  } as const
  expect(refusalText(decision)).toBe(
    'Permission denied by the rule Bash(rm *) (project). Bash(rm *) matches rm x. Trying again will be denied again.',
  )
})

test('no rule, but the bounds denied it, and they name the path', () => {
  const decision = {
    behavior: 'deny',
    source: 'bounds',
    reason: "it lies outside the team's scope!",
    path: '/etc',
  } as const
  expect(refusalText(decision)).toBe(
    "Permission denied (bounds) (/etc). it lies outside the team's scope! Trying again will be denied again.",
  )
})

test('a person refused it', () => {
  expect(refusalText({ behavior: 'deny', source: 'human', reason: 'not now' })).toBe(
    'A person refused this call. not now. Do not try it again in another way; go on without it or ask.',
  )
  expect(refusalText({ behavior: 'deny', source: 'human', reason: '', path: '/a' })).toBe(
    'A person refused this call (/a). Do not try it again in another way; go on without it or ask.',
  )
})

test('nobody can be asked, and the reason says which rule would help', () => {
  const reason = 'default mode asks before running npm test; the allow rule Bash(npm test:*) would permit it'
  expect(refusalText({ behavior: 'deny', source: 'nobody', reason })).toBe(
    `This call needs approval and nobody can be asked. ${reason}. Go on without it and say what is missing.`,
  )
})
