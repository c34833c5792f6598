import { expect, test } from 'vitest'
import { choiceOf, choicesOf, retryOf } from '../../../src/adapters/approvers/choices.ts'

const grants = { session: ['Bash(npm test)'], save: ['Bash(npm test:*)'] }

test.each([
  ['  O ', { behavior: 'allow', scope: 'once' }],
  ['session', { behavior: 'allow', scope: 'session' }],
  ['deny use  staging', { behavior: 'deny', reason: 'use staging' }],
  ['stop', { behavior: 'deny', scope: 'stop' }],
])('%j is a choice', (line, answer) => {
  expect(choiceOf(line, grants)).toMatchObject(answer)
})

test.each(['', ' ', 'y', 'yes', 'ok', 'oo', 'n'])('%j is none', (line) => {
  expect(choiceOf(line, grants)).toBeNull()
})

test('what no rule can say is not offered, and is no choice', () => {
  const none = { session: [], save: [] }
  expect(choicesOf(none)).toBe('[o]nce  [d]eny, with advice if you like  [x] deny and stop this member')
  expect(retryOf(none)).toBe('Please type o, d or x; ? shows the question again.')
  expect([choiceOf('s', none), choiceOf('always', none)]).toEqual([null, null])
  expect(choiceOf('o', none)).toMatchObject({ scope: 'once' })
})

test('what would be saved is what is granted', () => {
  expect(choiceOf('a', grants)).toMatchObject({ scope: 'save', rules: ['Bash(npm test:*)'] })
})
