import { expect, test } from 'vitest'
import { mayRunAgain, unfinishedText } from '../../src/rules/unfinished-call.ts'

test.each([
  ['a read that began', { begun: true, readOnly: true, effect: 'read' }, true],
  ['a command that only reads', { begun: true, readOnly: true, effect: 'execute' }, true],
  ['mail and delegation, which know their call', { begun: true, readOnly: false, effect: 'team' }, true],
  ['a command that may write', { begun: true, readOnly: false, effect: 'execute' }, false],
  ['an edit', { begun: true, readOnly: false, effect: 'edit' }, false],
  ['a read that nobody had allowed yet', { begun: false, readOnly: true, effect: 'read' }, false],
] as const)('%s', (_, call, again) => {
  expect(mayRunAgain(call)).toBe(again)
})

test('the model learns whether a call may have had an effect', () => {
  expect(unfinishedText(true)).toContain('unknown')
  expect(unfinishedText(false)).toContain('Not run')
})
