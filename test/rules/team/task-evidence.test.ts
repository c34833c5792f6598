import { describe, expect, test } from 'vitest'
import { evidenceKind, missingEvidence } from '../../../src/rules/team/task-evidence.ts'

const sha256 = 'a'.repeat(64)
const checks = { tests: 'npm test', types: 'tsc' }

describe('what comes with "done"', () => {
  test.each([
    [{ command: 'ls', exit_code: 0 }, 'command'],
    [{ file: 'a.txt', sha256 }, 'file'],
    [{ check: 'tests' }, 'check'],
  ] as const)('%j is a %s', (piece, kind) => {
    expect(evidenceKind(piece)).toBe(kind)
  })

  test.each([
    ['nothing, and nothing is asked', [], [], null],
    ['nothing', [], ['check'], 'This board wants evidence of what is done: the name of a declared check.'],
    [
      'another kind',
      [{ file: 'a.txt', sha256 }],
      ['command', 'check'],
      'This board wants evidence of what is done: a command that you ran with its exit code, or the name of a declared check.',
    ],
    ['one of the kinds', [{ check: 'types' }], ['command', 'check'], null],
    ['the last of several pieces', [{ file: 'a.txt', sha256 }, { check: 'tests' }], ['check'], null],
    [
      'a command that failed, though nothing is asked',
      [{ command: 'npm test', exit_code: 1 }],
      [],
      '`npm test` ended with exit code 1: that does not show that the task is done.',
    ],
    ['an unknown check', [{ check: 'lint' }], ['check'], 'There is no check "lint"; the team declares tests, types.'],
    [
      'a check with the name of something every object has',
      [{ check: 'constructor' }],
      [],
      'There is no check "constructor"; the team declares tests, types.',
    ],
  ] as const)('%s', (_, given, evidence, missing) => {
    expect(missingEvidence(given, { evidence: [...evidence], checks })).toBe(missing)
  })

  test('a team without checks says so', () => {
    expect(missingEvidence([{ check: 'x' }], { evidence: [], checks: {} })).toBe(
      'There is no check "x": the team declares none.',
    )
  })
})
