import { describe, expect, test } from 'vitest'
import type { MemberCard } from '../../../src/protocol/team/team-card.ts'
import { placeProblems } from '../../../src/rules/team/place-problems.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const places = {
  executors: ['in-process', 'process', 'auto', 'box'],
  local: { tools: ['LookUp'], providers: ['acme'] },
}

function problems(more: Partial<MemberCard>): readonly string[] {
  const worker = sampleTeam().members.find(({ role }) => role === 'worker')
  if (!worker) throw new Error('the sample team has a worker')
  return placeProblems({ ...worker, ...more }, places).map(
    ({ code, path, message, hint = '' }) => `${path.join('.')} ${code} ${message} (${hint})`,
  )
}

describe('the place of a member', () => {
  test('may be any that is known', () => {
    expect(places.executors.flatMap((executor) => problems({ executor }))).toEqual([])
  })

  test('that nobody knows is a mistake, with the one that was meant', () => {
    expect(problems({ executor: 'proces' })).toEqual([
      'workers.writer.executor unknown_executor there is no executor "proces" (did you mean process?)',
    ])
    expect(problems({ executor: 'kubernetes' })).toEqual([
      expect.stringContaining('(there are in-process, process, auto, box)'),
    ])
  })

  const lacking: readonly [name: string, part: Partial<MemberCard>, named: string][] = [
    ['a tool', { tools: ['Read', 'LookUp'] }, 'LookUp'],
    ['a model', { model: 'acme/large' }, 'acme/large'],
    ['a model that stands in', { fallback: ['scripted/a.yaml', 'acme/small'] }, 'acme/small'],
    ['an advisor', { advisor: { model: 'acme/wise', max_uses: 1, max_tokens: 100 } }, 'acme/wise'],
  ]
  test.for(lacking)('in another process has not %s of the program', ([, part, named]) => {
    expect(problems({ ...part, executor: 'box' })).toEqual([
      `workers.writer.executor not_there "writer" is to run in box, where there is no ${named}: only the program that runs the team has it (run it in-process)`,
    ])
    expect(problems({ ...part, executor: 'in-process' })).toEqual([])
  })
})
