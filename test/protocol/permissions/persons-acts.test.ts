import { expect, test } from 'vitest'
import { isForPersons } from '../../../src/protocol/permissions/persons-acts.ts'

test.for([
  ['undo', true],
  ['memory forget', true],
  ['memory', false],
  ['memory ls', false],
  ['undo now', false],
  ['mcp add', true],
  ['mcp call', true],
  ['mcp serve', true],
  ['mcp list', false],
  ['compact', true],
  ['mode', true],
  ['model', true],
] as const)('%s is for persons: %s', ([command, expected]) => {
  expect(isForPersons(command)).toBe(expected)
})
