import { expect, test } from 'vitest'
import { promptProblems } from '../../../src/rules/team/prompt-problems.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const known = { tools: ['Read', 'Write', 'Bash', 'Grep', 'SendMessage'], coordinatorTools: ['Delegate', 'SendMessage'] }
const team = sampleTeam(['lead', 'writer'])
const problems = (prompt: string, partition: 'enforced' | 'relaxed' = 'enforced') =>
  promptProblems(
    {
      ...team,
      partition,
      members: team.members.map((card) => (card.role === 'coordinator' ? { ...card, prompt } : card)),
    },
    known,
  ).map(({ message }) => message)

test.each([
  ['Look with Grep first, then run Bash.', 'Bash, Grep'],
  ['Use `Write` for the notes.', 'Write'],
  ['Call the Read tool on the log.', 'Read'],
])('a prompt that its partition makes impossible is told: %s', (prompt, tools) => {
  expect(problems(prompt)).toEqual([
    `the prompt of the coordinator speaks of ${tools}, which it cannot hold: it decides what is done, workers do it`,
  ])
})

test.each([
  'Write the answer. Read it twice.',
  'Let the writer use Bash.',
  'A worker greps with Grep.',
  'Delegate, then SendMessage.',
])('what a coordinator can do is no mistake: %s', (prompt) => {
  expect(problems(prompt)).toEqual([])
})

test('a relaxed coordinator may hold what its prompt speaks of', () => {
  expect(problems('Look with Grep first.', 'relaxed')).toEqual([])
})
