import { expect, test } from 'vitest'
import { gatherProblems } from '../../../src/rules/team/gather-problems.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const team = sampleTeam(['lead', 'writer', 'reader'])
const problems = (substitute: string) => gatherProblems({ ...team, gather: { ...team.gather, substitute } })

test('the only worker has no substitute in itself', () => {
  const alone = sampleTeam(['lead', 'writer'])
  const found = gatherProblems({ ...alone, gather: { ...alone.gather, substitute: 'writer' } })
  expect(found).toMatchObject([{ severity: 'warning', code: 'idle_substitute' }])
})

test('a substitute is a worker; a typo is named with who was meant', () => {
  expect(gatherProblems(team)).toEqual([])
  expect(problems('reader')).toEqual([])
  expect(problems('raeder')).toMatchObject([{ code: 'unknown_substitute', hint: 'did you mean reader?' }])
  expect(problems('lead')).toMatchObject([{ path: ['coordinator', 'gather', 'on_failure', 'substitute'] }])
})
