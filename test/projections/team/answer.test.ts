import { describe, expect, test } from 'vitest'
import { answerFold, type RunAnswer } from '../../../src/projections/team/answer.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { refutationText } from '../../../src/rules/team/verification.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { recordedOf, appended, closed, opened, says } from '../journal-of.ts'
import { continuePrompt } from '../../../src/rules/conversation/cut-answer.ts'

type Said = readonly [string, Fact]

function wholeAnswerOf(...said: readonly Said[]): RunAnswer {
  const fold = answerFold('lead')
  for (const recorded of recordedOf(...said)) fold.apply(recorded)
  return fold.answer()
}

function answerOf(...said: readonly Said[]): string | null {
  return wholeAnswerOf(...said).result
}

const say = (text: string): Said => ['lead', appended(says(text))]
const delegate: Said = ['lead', appended(says('I ask the historian.', { id: 'c1', name: 'Delegate', input: {} }))]

describe('the answer of a run', () => {
  test('is null before the lead has said anything', () => {
    expect(answerOf()).toBeNull()
  })

  test('is every text that ended a turn, in order and marked', () => {
    expect(answerOf(say('first'), say('second'))).toBe('[1 of 2]\nfirst\n\n[2 of 2]\nsecond')
  })

  test('is a text beside calls only where no turn ended with one', () => {
    const beside: Said = ['lead', appended(says('I read.', { id: 'c1', name: 'Read', input: {} }))]
    expect(answerOf(beside)).toBe('I read.')
    expect(answerOf(beside, say('the answer'))).toBe('the answer')
  })

  test('is the latest such text, however many there were', () => {
    const beside = (text: string): Said => ['lead', appended(says(text, { id: text, name: 'Read', input: {} }))]
    expect(answerOf(...Array.from({ length: 300 }, (_, step) => beside(`step ${step}`)))).toBe('step 299')
  })

  test('is not a text whose check did not pass', () => {
    const plan = { command: 'npm test', after_changes: false, attempts: 2, timeout_ms: 1 }
    const told = refutationText(plan, { after: 'end', report: 'no', failures: 1 })
    expect(answerOf(say('done'), ['lead', { type: 'message.appended', message: userMessage(told, 'runtime') }])).toBe(
      null,
    )
  })

  test('is kept as it was written', () => {
    expect(answerOf(say('  # Title\n\ntext \n'))).toBe('  # Title\n\ntext \n')
  })

  test('is one text where it came in pieces', () => {
    const cut = (text: string): Said => ['lead', appended({ ...says(text), stop: 'max_tokens' })]
    const goOn: Said = ['lead', { type: 'message.appended', message: userMessage(continuePrompt, 'runtime') }]
    const more: Said = ['lead', { type: 'message.appended', message: userMessage('And then?') }]
    const two = (one: string, other: string): string => `[1 of 2]\n${one}\n\n[2 of 2]\n${other}`
    expect(answerOf(cut('one '), goOn, cut('two '), goOn, say('three'))).toBe('one two three')
    expect(answerOf(cut('one '), goOn, say('two'), more, say('three'))).toBe(two('one two', 'three'))
    expect(answerOf(cut('one '), more, say('two'))).toBe(two('one ', 'two'))
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
      '[1 of 2]\none\n\n[2 of 2]\ntwo',
    )
  })

  test('is not what a person said', () => {
    const message = { role: 'user', origin: 'person', content: [{ type: 'text', text: 'do it' }] } as const
    expect(
      answerOf(['lead', { type: 'message.appended', message: { ...message, content: [...message.content] } }]),
    ).toBeNull()
  })
})

const envelope = (more: object): Envelope => ({
  v: 1,
  id: 'm',
  key: 'k',
  sender: 'ann',
  seq: 1,
  from: 'ann@demo',
  to: 'lead@demo',
  kind: 'text',
  priority: 'normal',
  body: '',
  sent_at: 1,
  ...more,
})
const done: Said = ['lead', { type: 'agent.ended', turn: 1, reason: 'completed' }]
const got = (mail: object): Said => ['lead', { type: 'mail.received', envelope: envelope(mail) }]
const result = (request: string, more: object = {}): Said => got({ kind: 'result', request, status: 'done', ...more })

describe('the words of a lead after its answer', () => {
  test('stand beside the answer', () => {
    const said = [say('the answer'), done, got({ kind: 'text', body: 'thanks!' }), say('You are welcome.'), done]
    expect(wholeAnswerOf(...said)).toEqual({ result: 'the answer', afterwards: ['You are welcome.'] })
    expect(wholeAnswerOf(...said, say('Bye.')).afterwards).toEqual(['You are welcome.', 'Bye.'])
  })

  test('belong to the answer while the work has not ended', () => {
    expect(wholeAnswerOf(say('the answer'), say('ok'), done).afterwards).toEqual([])
  })

  test('are no answer to a request that was opened for their sake', () => {
    const said = [say('the answer'), done, ['team', opened('r2')], ['team', closed('r2')], result('r2'), say('more')]
    expect(wholeAnswerOf(...(said as Said[]))).toEqual({ result: 'the answer', afterwards: ['more'] })
  })

  test('are the answer after a result or an amendment of the work before it', () => {
    const [early, late] = [say('without it'), say('with it')]
    expect(wholeAnswerOf(early, done, result('r1', { amends: true }), late, done)).toEqual({
      result: 'with it',
      afterwards: [],
    })
    expect(answerOf(early, done, result('r1'), done)).toBe('without it')
    expect(answerOf(early, done, result('r1', { status: 'failed' }), late)).toBe('without it')
  })

  test('are the answer after a reminder of open work, and after a person took the run up again', () => {
    const reminded: Said = ['team', { type: 'lead.nudged', open: ['task 1'] }]
    expect(answerOf(say('early'), done, reminded, say('late'), done)).toBe('late')
    const again = [say('first'), done, say('bye'), done, ['team', { type: 'team.reopened' }]] as Said[]
    expect(wholeAnswerOf(...again, say('second'), done)).toEqual({ result: 'second', afterwards: [] })
  })

  test('are the answer where what was said before only waited for the answer to a question', () => {
    const asked: Said = ['lead', { type: 'mail.sent', envelope: envelope({ id: 'q', kind: 'question' }) }]
    const waiting = [asked, say('I wait for a.'), done]
    expect(answerOf(...waiting)).toBe('I wait for a.')
    expect(answerOf(...waiting, got({ kind: 'answer', reply_to: 'q' }), say('It is 7.'), done)).toBe('It is 7.')
  })

  test('belong to the answer where a member writes back', () => {
    const wrote: Said = ['lead', { type: 'mail.sent', envelope: envelope({ to: 'ann@demo', from: 'lead@demo' }) }]
    const hello = got({ kind: 'text', body: 'Hello.' })
    const said = [wrote, say('I wrote to ann.'), done, hello, say('Ann greets you.'), done, hello, say('Bye.'), done]
    expect(wholeAnswerOf(...said)).toEqual({
      result: '[1 of 2]\nI wrote to ann.\n\n[2 of 2]\nAnn greets you.',
      afterwards: ['Bye.'],
    })
  })

  test('do not stand beside an answer that the lead was stopped at', () => {
    const failed: Said = ['lead', { type: 'agent.ended', turn: 1, reason: 'max_turns' }]
    expect(answerOf(say('half'), failed, say('whole'), done)).toBe('[1 of 2]\nhalf\n\n[2 of 2]\nwhole')
  })
})
