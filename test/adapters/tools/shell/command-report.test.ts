import { expect, test } from 'vitest'
import { commandFooter } from '../../../../src/adapters/tools/shell/command-report.ts'

const end = { exitCode: 0, signal: null, stopped: null, failure: null, errors: '', side: '' }

test.for([
  [{ ms: 4_999 }, ''],
  [{ ms: 5_000 }, '[5.0 s]'],
  [{ exitCode: 3, ms: 20 }, '[exit 3]'],
  [{ exitCode: 3, ms: 12_440 }, '[exit 3, 12.4 s]'],
  [{ stopped: 'timeout', ms: 60_000 }, '[stopped after 60 s, with everything it had started]'],
] as const)('a command that ended so: %j', ([how, footer]) => {
  expect(commandFooter({ ...end, ...how }, 60_000)).toBe(footer)
})
