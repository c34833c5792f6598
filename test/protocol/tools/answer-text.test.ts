import { expect, test } from 'vitest'
import { answerText, withdrawnReason } from '../../../src/protocol/tools/answer-text.ts'

test.for([
  ['Bash', 'allow', 'allowed once', 'allowed by attach'],
  ['Bash', 'allow', 'allowed for this session', 'allowed for this session (attach)'],
  ['Bash', 'deny', 'denied', 'denied by attach'],
  ['Bash', 'deny', 'denied, and told to stop', 'denied, and told to stop (attach)'],
  ['Bash', 'deny', 'Use git.', 'denied by attach: Use git.'],
  ['Bash', 'deny', withdrawnReason('the call is over'), 'no longer asked: the call is over'],
  ['AskUser', 'allow', 'red', 'answered by attach: red'],
  ['AskUser', 'allow', 'allowed', 'answered by attach: allowed'],
  ['AskUser', 'deny', 'nobody answered', 'denied by attach: nobody answered'],
] as const)('%s, %s because of %j reads %j', ([tool, behavior, reason, text]) => {
  expect(answerText(tool, { behavior, reason, by: 'attach' })).toBe(text)
})
