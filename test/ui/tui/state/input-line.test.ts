import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { emptyLine, erased, moved, draftText, typed, wordErased } from '../../../../src/ui/tui/state/input-line.ts'

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

test.each([
  ['one two', 'one '],
  ['one two  ', 'one '],
  ['one', ''],
  ['', ''],
])('a word is erased of %j', (before, left) => {
  expect(wordErased({ before, after: 'x' })).toEqual({ before: left, after: 'x' })
})
