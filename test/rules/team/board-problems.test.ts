import { expect, test } from 'vitest'
import type { TaskPolicy } from '../../../src/protocol/work/task.ts'
import { boardProblems } from '../../../src/rules/team/board-problems.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const sample = sampleTeam(['lead', 'writer'])
const problems = (tasks: Partial<TaskPolicy>, tools: readonly string[] = ['TaskDone']) =>
  boardProblems({
    ...sample,
    members: sample.members.map((member) => (member.role === 'worker' ? { ...member, tools: [...tools] } : member)),
    tasks: { evidence: [], review: false, lease_ms: 1, checks: {}, ...tasks },
  })

test('a board that wants what nobody can show would never have a finished task', () => {
  const path = ['tasks', 'evidence']
  expect(problems({ evidence: ['check'] })).toMatchObject([
    { severity: 'error', code: 'unprovable_tasks', path, hint: 'declare a check in `tasks.checks`' },
  ])
  expect(problems({ evidence: ['command'] })).toMatchObject([{ path, hint: 'give Bash to a worker with TaskDone' }])
  expect(problems({ evidence: ['check', 'command'] })).toHaveLength(1)
})

test('one kind of evidence that can be given is enough, and so is none', () => {
  expect(boardProblems(sample)).toEqual([])
  expect(problems({})).toEqual([])
  expect(problems({ evidence: ['check', 'file'] })).toEqual([])
  expect(problems({ evidence: ['check'], checks: { tests: 'npm test' } })).toEqual([])
  expect(problems({ evidence: ['check', 'command'] }, ['TaskDone', 'Bash'])).toEqual([])
})
