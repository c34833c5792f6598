import { expect, test } from 'vitest'
import { codeOfSignal, exitText, signalText } from '../../../../src/rules/shell/walk/exit-signal.ts'

test('an exit code says its signal by name', () => {
  expect([1, 137, 139, 143, 200].map(exitText)).toEqual([
    'exit 1',
    'exit 137 (SIGKILL, perhaps for want of memory)',
    'exit 139 (SIGSEGV)',
    'exit 143 (SIGTERM)',
    'exit 200',
  ])
  expect(signalText('SIGABRT')).toBe('SIGABRT')
  expect([codeOfSignal('SIGSEGV'), codeOfSignal('SIGWINCH')]).toEqual([139, undefined])
})
