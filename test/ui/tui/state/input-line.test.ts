import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import {
  emptyLine,
  erased,
  moved,
  movedByLine,
  draftText,
  typed,
  wordErased,
} from '../../../../src/ui/tui/state/input-line.ts'

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '日', '👩‍👩‍👧', 'é') })

property.prop([text, text])('what is typed stands where the cursor is, and erasing takes it back', (before, after) => {
  const line = moved(typed(emptyLine, after), 'start')
  let written = typed(line, before)
  expect(draftText(written)).toBe(before + after)
  while (written.before !== '') written = erased(written)
  expect(written).toEqual(line)
})

property.prop([text])('the cursor goes through the line character by character and loses none', (whole) => {
  let line = typed(emptyLine, whole)
  const characters = [...new Intl.Segmenter().segment(whole)].length
  for (let step = 0; step < characters; step += 1) line = moved(line, 'left')
  expect(line).toEqual({ before: '', after: whole })
  for (let step = 0; step < characters; step += 1) line = moved(line, 'right')
  expect(line).toEqual({ before: whole, after: '' })
})

property.prop([text, text, fc.constantFrom('up', 'down')])(
  'the cursor goes by lines, is never within a character, and loses none',
  (before, after, to) => {
    const next = movedByLine({ before, after }, to)
    expect(draftText(next)).toBe(before + after)
    const ends = [...new Intl.Segmenter().segment(before + after)].map(({ index }) => index)
    expect([...ends, (before + after).length]).toContain(next.before.length)
  },
)

test.each([
  ['ab\nc', '', 'up', 'a'],
  ['ab\ncdef', '', 'up', 'ab'],
  ['a', 'b\ncd\ne', 'down', 'ab\nc'],
  ['ab\ncd', '\ne', 'down', 'ab\ncd\ne'],
  ['\na', '', 'up', ''],
  ['a', 'b', 'up', ''],
  ['a', 'b', 'down', 'ab'],
] as const)('from %j before %j, %s leads to %j', (before, after, to, left) => {
  expect(movedByLine({ before, after }, to).before).toBe(left)
})

test.each([
  ['one two', 'one '],
  ['one two  ', 'one '],
  ['one', ''],
  ['', ''],
])('a word is erased of %j', (before, left) => {
  expect(wordErased({ before, after: 'x' })).toEqual({ before: left, after: 'x' })
})
