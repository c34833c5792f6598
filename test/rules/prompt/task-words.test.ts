import { expect, test } from 'vitest'
import { isVague, looksHard } from '../../../src/rules/prompt/task-words.ts'

test.each([
  'Find the root cause of the deadlock in the queue.',
  'Refactor the parser and prove that nothing changes.',
  `${'Describe what happened. '.repeat(60)}\n1. read a.ts\n2. read b.ts\n3. join them\n4. report`,
  'Move the types of src/a.ts, src/b.ts and src/c.ts, with the security review in mind.',
])('looks hard: %s', (task) => expect(looksHard(task)).toBe(true))

test.each(['Rename the flag in cli.ts.', 'Refactor, then refactor again.', '', 'Sag mir, wie spät es ist.'])(
  'does not look hard: %s',
  (task) => expect(looksHard(task)).toBe(false),
)

test('a huge task is judged by its beginning', () => {
  expect(looksHard(`${'x '.repeat(1e6)} deadlock`)).toBe(false)
})

test.each(['Fix it.', 'please make everything better', 'Clean up the code', 'Help me with this!', ''])(
  'is vague: %s',
  (task) => expect(isVague(task)).toBe(true),
)

test.each([
  'Fix the login.',
  'Review the last commit.',
  'fix src/a.ts',
  'Make #42 pass',
  'Mach das besser.',
  'Fix it: it is the thing that we all work on here now, and it is the issue of them all',
])('is not vague: %s', (task) => expect(isVague(task)).toBe(false))
