import { describe, expect, test } from 'vitest'
import { answerFold } from '../../../src/projections/team/answer.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { continuePrompt } from '../../../src/rules/conversation/cut-answer.ts'
import { appended, closed, opened, recordedOf, says } from '../journal-of.ts'

type Said = readonly [string, Fact]

function answerOf(...said: readonly Said[]): string | null {
  const fold = answerFold('lead')
  for (const recorded of recordedOf(...said)) fold.apply(recorded)
  return fold.answer()
}

const say = (text: string): Said => ['lead', appended(says(text))]
const delegate: Said = ['lead', appended(says('I ask the historian.', { id: 'c1', name: 'Delegate', input: {} }))]

describe('the answer of a run', () => {
  test('is null before the lead has said anything', () => {
    expect(answerOf()).toBeNull()
  })

  test('is the last text of the lead', () => {
    expect(answerOf(say('first'), say('second'))).toBe('second')
  })

  test('is kept as it was written', () => {
    expect(answerOf(say('  # Title\n\ntext \n'))).toBe('  # Title\n\ntext \n')
  })

  test('is one text where it came in pieces', () => {
    const cut = (text: string): Said => ['lead', appended({ ...says(text), stop: 'max_tokens' })]
    const goOn: Said = ['lead', { type: 'message.appended', message: userMessage(continuePrompt, 'runtime') }]
    const more: Said = ['lead', { type: 'message.appended', message: userMessage('And then?') }]
    expect(answerOf(say('before'), cut('one '), goOn, cut('two '), goOn, say('three'))).toBe('one two three')
    expect(answerOf(cut('one '), goOn, say('two'), more, say('three'))).toBe('three')
    expect(answerOf(cut('one '), more, say('two'))).toBe('two')
  })

  test('says so where it asks for a stronger model that is not there', () => {
    expect(answerOf(say('STRONGER MODEL NEEDED: A proof.'))).toMatch(/^No stronger model was left .*: A proof\.$/)
  })

  test('is not an empty text', () => {
    expect(answerOf(say('the answer'), say(' \n '))).toBe('the answer')
  })

  test('is not a text of a worker', () => {
    expect(answerOf(say('the answer'), ['historian', appended(says('a report'))])).toBe('the answer')
  })

  test('is not written while a request is outstanding', () => {
    expect(answerOf(say('before'), ['team', opened('r1')], say('meanwhile'))).toBe('before')
  })

  test('may be written once all requests are settled', () => {
    const two: readonly Said[] = [
      ['team', opened('r1')],
      ['team', opened('r2')],
      ['team', closed('r1')],
    ]
    expect(answerOf(...two, say('too early'))).toBeNull()
    expect(answerOf(...two, ['team', closed('r2')], say('now'))).toBe('now')
  })

  test('is not the announcement that came with a delegation', () => {
    expect(answerOf(delegate, ['team', opened('r1')], ['team', closed('r1')])).toBeNull()
    expect(answerOf(say('earlier'), delegate, ['team', opened('r1')], ['team', closed('r1')])).toBe('earlier')
  })

  test('may come with a delegation that opened nothing', () => {
    expect(answerOf(delegate)).toBe('I ask the historian.')
  })

  test('a request does not take back an earlier text', () => {
    expect(answerOf(say('settled long ago'), ['team', opened('r1')])).toBe('settled long ago')
  })

  test('is not a text that a failed or aborted call left', () => {
    for (const stop of ['error', 'aborted'] as const) {
      expect(answerOf(say('whole'), ['lead', appended({ ...says('ha'), stop })])).toBe('whole')
    }
    expect(answerOf(['lead', appended({ ...says('cut off'), stop: 'max_tokens' })])).toBe('cut off')
  })

  test('is not a tombstoned text', () => {
    const buried: Said = ['lead', { type: 'message.tombstoned', target: 'lead-2' }]
    expect(answerOf(say('one'), say('two'), buried)).toBe('one')
    expect(answerOf(say('one'), say('two'), ['historian', { type: 'message.tombstoned', target: 'lead-2' }])).toBe(
      'two',
    )
  })

  test('is not what a person said', () => {
    const message = { role: 'user', origin: 'person', content: [{ type: 'text', text: 'do it' }] } as const
    expect(
      answerOf(['lead', { type: 'message.appended', message: { ...message, content: [...message.content] } }]),
    ).toBeNull()
  })
})
