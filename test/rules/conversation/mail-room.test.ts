import { fc, test as prop } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { noUsage, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import {
  isMoreMailText,
  mailRoom,
  moreMailText,
  mostIn,
  shownLengths,
  wholeMailRoom,
} from '../../../src/rules/conversation/mail-room.ts'

const mail = (length: number) => userMessage(`<message from="a@b">${'x'.repeat(length - 20)}`, 'runtime')
const answered: Message = { role: 'assistant', model: 'a/b', content: [], stop: 'end', usage: noUsage }

test('mail takes room until the model answers, other words take none', () => {
  const empty = mailRoom({ messages: [], held: [] })
  expect(
    empty - mailRoom({ messages: [mail(700), userMessage('<message of a person', 'person')], held: [mail(300)] }),
  ).toBe(1_000)
  expect(mailRoom({ messages: [mail(700), answered, userMessage('More.')], held: [] })).toBe(empty)
})

test('mail that was answered still takes its part of the conversation', () => {
  const empty = wholeMailRoom({ messages: [], held: [] })
  expect(empty - wholeMailRoom({ messages: [mail(700), answered, mail(200)], held: [mail(100)] })).toBe(1_000)
})

test('short mail is shown whole, and long mail shares what is left', () => {
  expect(shownLengths([], 5_000)).toEqual([])
  expect(shownLengths([100, 9_000, 4_000], 200_000)).toEqual([100, 9_000, 4_000])
  expect(shownLengths([9_000, 100, 9_000], 10_100)).toEqual([5_000, 100, 5_000])
  expect(shownLengths([9_000, 30, 9_000], -5)).toEqual([2_000, 30, 2_000])
})

prop.prop([fc.array(fc.nat(400_000), { maxLength: 40 }), fc.integer({ min: -1_000, max: 300_000 })])(
  'nothing is longer than it is, nothing long is shown with less than its beginning, and all fits where it can',
  (lengths, room) => {
    const shown = shownLengths(lengths, room)
    for (const [place, length] of lengths.entries()) {
      expect(shown[place]).toBeLessThanOrEqual(length)
      expect(shown[place]).toBeGreaterThanOrEqual(Math.min(length, 2_000))
    }
    const sum = shown.reduce((a, b) => a + b, 0)
    expect(sum).toBeLessThanOrEqual(Math.max(room, 0) + 2_000 * lengths.length)
    if (lengths.reduce((a, b) => a + b, 0) <= room) expect(shown).toEqual(lengths)
  },
)

test('no more mail is taken at once than has its beginning shown', () => {
  expect([1, 2_001, 4_000, 10_000_000].map(mostIn)).toEqual([1, 2, 2, 256])
})

test('the words about waiting mail are known again', () => {
  expect(moreMailText(512)).toMatch(/^More messages wait: 512\./)
  expect(isMoreMailText(moreMailText(1))).toBe(true)
  expect(isMoreMailText('More')).toBe(false)
})
