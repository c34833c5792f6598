import { expect, test } from 'vitest'
import { userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { unfoundedNumbers } from '../../../src/projections/member/unfounded-numbers.ts'

const result = (text: string): Message => ({
  role: 'tool',
  results: [{ call_id: 'c1', tool: 'Bash', is_error: false, content: [{ type: 'text', text }] }],
})
const read = (text: string): readonly Message[] => [
  userMessage('Count the lines of 3815 files.', 'person'),
  result(text),
]

test.each([
  ['It has 4,821 lines.', '4711 src/app.ts', ['4,821']],
  ['It has 4,711 lines in 3815 files.', '4711 src/app.ts', []],
  ['Pi is 3.14 and e is 2.72.', 'pi=3.14159', ['2.72']],
  ['That is 66.7 % of it.', '2 of 3', []],
  ['Together 8,526.', '4711', []],
  ['Total 1110.', '370\n370\n370', []],
  ['See v1.234.5 of 2026-11-26, port :8173, id-4821, 1900s, #4821.', 'nothing', []],
  ['HTTP 404, status 418, port 8173, chmod 0755, RFC 9110, error 1213, exit code 137.', 'nothing', []],
  ['It is `4821` there.\n```\nlimit = 4822\n```\nBut 4,823 here.', 'nothing', ['4,823']],
  ['In 2026 there are 12 of 1000.', 'nothing', []],
])('%s after %j', (answer, text, found) => {
  expect(unfoundedNumbers(answer, read(text))).toEqual(found)
})

test('an agent that called no tool is not judged', () => {
  expect(unfoundedNumbers('It has 4,821 lines.', [userMessage('Guess.', 'person')])).toEqual([])
})
