import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { withNewValues } from '../../../src/adapters/teams/update-team-test.ts'

const path = ['answer', 'equals']
const answerOf = (text: string): unknown => (parse(text) as { answer: { equals: unknown } }).answer.equals

test.each(['42', 'true', 'null', '', '1.5e3', '0x10', '~', '- a: b', 'yes, {no}: # x', 'a\n\nb "c" \\d'])(
  'the answer %j stays a text in every style',
  (value) => {
    for (const old of ['old', "'old'", '"old"', '|-\n    old', '>\n    old\n    text']) {
      const { text, written } = withNewValues(`answer:\n  equals: ${old}\nstatus: x # kept\n`, [{ path, value }])
      expect(answerOf(text)).toBe(value)
      expect(text).toMatch(/\nstatus: x # kept\n$/)
      expect(written).toHaveLength(1)
    }
  },
)

test('a value that stands elsewhere is left as it is, and is not among those that were written', () => {
  const text = 'ends: &end failed\nstatus: *end\n'
  expect(withNewValues(text, [{ path: ['status'], value: 'completed' }])).toEqual({ text, written: [] })
  expect(withNewValues('status: failed\n', [{ path: ['members'], value: ['ana'] }]).written).toEqual([])
})

test('names keep the line ends of the file', () => {
  const text = 'members:\r\n  - lead\r\nstatus: x\r\n'
  const { text: after } = withNewValues(text, [{ path: ['members'], value: ['ana', 'lead'] }])
  expect(after).toBe('members:\r\n  - ana\r\n  - lead\r\nstatus: x\r\n')
})

test.each([
  ['members:\n  - lead # first\nstatus: x\n', [], 'members: []\nstatus: x\n'],
  ['expect:\n  members:\n  - lead\n', [], 'expect:\n  members: []\n'],
  ['members:\n  # all\n  - lead\n', [], 'members:\n  # all\n  []\n'],
  ['members:\n# all\n- lead\n', [], 'members:\n# all\n- lead\n'],
  ['members: [lead]\n', ['a, b', '1', 'no: x'], 'members: ["a, b", "1", "no: x"]\n'],
  ['members:\n- lead\n', ['true', 'a #b'], 'members:\n- "true"\n- "a #b"\n'],
])('a list %j becomes %j, or stays as it is', (text, value, expected) => {
  const place = text.startsWith('expect') ? ['expect', 'members'] : ['members']
  const after = withNewValues(text, [{ path: place, value }])
  expect(after.text).toBe(expected)
  expect(after.written).toHaveLength(after.text === text ? 0 : 1)
})
