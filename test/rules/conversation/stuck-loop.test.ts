import { describe, expect, test } from 'vitest'
import type { ToolResult } from '../../../src/protocol/conversation/message.ts'
import type { StuckLimits } from '../../../src/protocol/tools/tool-limits.ts'
import {
  isStuck,
  marksAfter,
  standstillOf,
  standstillText,
  type TurnMark,
} from '../../../src/rules/conversation/stuck-loop.ts'

interface Turn {
  readonly tool: string
  readonly input: unknown
  readonly changes?: true
  readonly text?: string
  readonly is_error?: boolean
}

const result = ({ tool, text = 'same', is_error = false }: Turn): ToolResult => ({
  call_id: 'c1',
  tool,
  content: [{ type: 'text', text }],
  is_error,
})
const read = (path: string, text?: string): Turn => ({
  tool: 'Read',
  input: { file_path: path },
  ...(text === undefined ? {} : { text }),
})
const edit = (content: string, more: Partial<Turn> = {}): Turn => ({
  tool: 'Write',
  input: { content },
  changes: true,
  ...more,
})
const bash = (command: string, more: Partial<Turn> = {}): Turn => ({
  tool: 'Bash',
  input: { command },
  changes: true,
  ...more,
})
const marksOf = (turns: readonly (Turn | readonly Turn[])[], limits?: StuckLimits): readonly TurnMark[] =>
  turns.reduce<readonly TurnMark[]>((marks, turn) => {
    const calls = [turn].flat() as readonly Turn[]
    return marksAfter(marks, { calls, results: calls.map(result) }, limits)
  }, [])
const times = (count: number, ...turns: readonly Turn[]): readonly Turn[] =>
  Array.from({ length: count }, () => turns).flat()
/** `letters('abab')`: turns that read the files a and b. */
const letters = (turns: string): readonly Turn[] => turns.split('').map((path) => read(path))

describe('an agent is stuck', () => {
  test.for<readonly [string, boolean]>([
    ['', false],
    ['a', false],
    ['aaaa', false],
    ['aaaaa', true],
    ['abaaaa', true],
    ['aaaab', false],
    ['abcdeabcde', false],
    ['ababababa', true],
    ['abababab', false],
    ['xaxayazaba', true],
    ['aaaabcdefghia', false],
  ])('after reading %s: %s', ([turns, stuck]) => {
    expect(isStuck(marksOf(letters(turns)))).toBe(stuck)
  })

  test.for<readonly [string, readonly (Turn | readonly Turn[])[], boolean]>([
    [
      'the same with another result each time',
      times(9, read('a')).map((turn, n) => ({ ...turn, text: `${n}` })),
      false,
    ],
    [
      'edits, each followed by the same failing test',
      [...Array(9).keys()].flatMap((n) => [edit(`try ${n}`), bash('npm test')]),
      false,
    ],
    ['the same edit again and again, and the test', times(6, edit('same'), bash('npm test')), true],
    ['edits that fail, and the test', times(6, edit('x', { is_error: true }), bash('npm test')), true],
    ['the same test without an edit', times(5, bash('npm test')), true],
    ['two edits that undo each other', times(6, edit('one'), edit('two')), true],
    ['a look at a silent job', times(49, { tool: 'BashOutput', input: { id: 'bash_1' } }), false],
    ['fifty of these', times(50, { tool: 'BashOutput', input: { id: 'bash_1' } }), true],
    ['a look at the board', times(20, { tool: 'TaskList', input: {} }), false],
    ['a wait by the shell', times(20, bash('sleep 5; cat status')), false],
    ['a wait in a loop of the shell', times(20, bash('until cat done; do timeout 9 sleep 2; done')), false],
    ['a command that only speaks of sleep', times(5, bash('grep sleepy notes')), true],
    ['a command with sleep as one of its words', times(5, bash('grep sleep notes')), true],
    ['a line that speaks of a wait in quotes', times(5, bash('echo "first; sleep 5; wait"')), true],
    ['looks between equal turns', [...times(4, read('a'), { tool: 'TaskList', input: {} }), read('a')], true],
    ['several calls at once', times(5, read('a')).map((turn) => [turn, read('b')]), true],
  ])('%s: %s', ([, turns, stuck]) => {
    expect(isStuck(marksOf(turns))).toBe(stuck)
  })

  test('by the order of keys nothing is told apart, at any depth', () => {
    const [one, two] = [
      { a: 1, b: { c: [1, { x: 1, y: null }] } },
      { b: { c: [1, { y: null, x: 1 }] }, a: 1 },
    ]
    const turns = [one, two, one, two, one].map((input): Turn => ({ tool: 'Read', input }))
    expect(isStuck(marksOf(turns))).toBe(true)
    expect(isStuck(marksOf([...turns.slice(1), { tool: 'Read', input: { ...one, a: [1] } }]))).toBe(false)
  })

  test('as its settings say', () => {
    const limits = { window: 4, repeats: 3, looks: 2 }
    expect(isStuck(marksOf(letters('aab'), limits), limits)).toBe(false)
    expect(isStuck(marksOf(letters('aaba'), limits), limits)).toBe(true)
    expect(isStuck(marksOf(letters('aabca'), limits), limits)).toBe(false)
    expect(isStuck(marksOf(times(2, bash('sleep 1')), limits), limits)).toBe(true)
  })

  test('not for what is long past: the window bounds what is kept', () => {
    expect(marksOf(letters('abcdefghijklmnopqrstuvwxyz'))).toHaveLength(20)
    expect(marksOf(times(99, bash('sleep 1')))).toHaveLength(1)
  })
})

test('an agent that stands still is warned the last two times before its work is ended', () => {
  const said = [1, 2, 3, 4, 5].map((count) => standstillText(standstillOf(marksOf(letters('a'.repeat(count))))))
  expect(said.map((text) => text !== null)).toEqual([false, false, true, true, false])
  expect(said[2]).toMatch(/^\[No progress: this was done 3 times .* At 5 times the work is ended\.\]$/)
  expect(standstillText({ times: 1, limit: 2 })).toBeNull()
})
