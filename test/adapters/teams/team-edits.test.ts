import { expect, test } from 'vitest'
import { parseTeamEdit } from '../../../src/adapters/teams/team-edits.ts'

test.each([
  ['3 files # of 5', '3 files # of 5'],
  ['2024: the year', '2024: the year'],
  ['-5 degrees: cold', '-5 degrees: cold'],
  ['[WIP] mend: it', '[WIP] mend: it'],
  ['2026-11-27', '2026-11-27'],
  ['', ''],
  ['3', 3],
  ['-2.5', -2.5],
  ['"3"', '3'],
  ['true', true],
  ['[Read, Grep]', ['Read', 'Grep']],
])('a change to %j is read as %j', (said, value) => {
  expect(parseTeamEdit(`ana.prompt=${said}`)).toEqual({ key: 'ana.prompt', value })
})
