import { expect, test } from 'vitest'
import { mayRunAgain, unfinishedText } from '../../../src/rules/tools/unfinished-call.ts'

test.each([
  ['a read', { readOnly: true, effect: 'read' }, true],
  ['a command that only reads', { readOnly: true, effect: 'execute' }, true],
  ['mail and delegation, which know their call', { readOnly: false, effect: 'team' }, true],
  ['a list of its own, or an approved plan', { readOnly: false, effect: 'none' }, true],
  ['a command that may write', { readOnly: false, effect: 'execute' }, false],
  ['an edit', { readOnly: false, effect: 'edit' }, false],
] as const)('%s', (_, call, again) => {
  expect(mayRunAgain(call)).toBe(again)
})

test('the model learns whether a call may have had an effect', () => {
  expect(unfinishedText(true)).toContain('unknown')
  expect(unfinishedText(false)).toContain('Not run')
})
