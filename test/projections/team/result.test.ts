import { describe, expect, test } from 'vitest'
import { applyTally, emptyTally, resultOf, answerFold } from '../../../src/projections/team/result.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { noUsage, userMessage } from '../../../src/protocol/conversation/message.ts'
import { recordedOf, settled, appended, closed, opened, says } from '../journal-of.ts'
import { continuePrompt } from '../../../src/rules/conversation/cut-answer.ts'

function tallied(...said: readonly (readonly [string, Fact])[]) {
  const tally = emptyTally()
  for (const recorded of recordedOf(...said)) applyTally(tally, recorded)
  return resultOf(tally, ['lead@notes', 'writer@notes'])
}

const ended: Fact = { type: 'agent.ended', turn: 2, reason: 'completed' }

describe('the result of a run', () => {
  test('lists members that never started', () => {
    expect(tallied().members).toEqual([
      { id: 'lead@notes', status: 'not_started', turns: 0, reason: null, usage: noUsage, cost_usd: 0 },
      { id: 'writer@notes', status: 'not_started', turns: 0, reason: null, usage: noUsage, cost_usd: 0 },
    ])
  })

  test('adds up turns, tokens and dollars per member and in all', () => {
    const result = tallied(
      ['lead', settled({ input: 10, output: 1, cache_read: 5 }, { cost_usd: 0.5 })],
      ['lead', settled({ input: 20, output: 2, cache_write: 7 }, { cost_usd: 0.25 })],
      ['writer', settled({ input: 100 }, { cost_usd: 1 })],
    )
    const [lead, writer] = result.members
    expect(lead).toMatchObject({
      turns: 2,
      usage: { input: 30, output: 3, cache_read: 5, cache_write: 7 },
      cost_usd: 0.75,
    })
    expect(writer).toMatchObject({ turns: 1, usage: { input: 100 }, cost_usd: 1 })
    expect(result.usage).toEqual({ input: 130, output: 3, cache_read: 5, cache_write: 7 })
    expect(result.cost_usd).toBe(1.75)
  })

  test('does not know the cost when one price is unknown', () => {
    const result = tallied(
      ['lead', settled({ input: 1 }, { cost_usd: 0.5 })],
      ['writer', settled({ input: 1 }, { cost_usd: null })],
    )
    expect(result.cost_usd).toBeNull()
    expect(result.members.map(({ cost_usd }) => cost_usd)).toEqual([0.5, null])
    expect(
      tallied(['lead', settled({ input: 1 }, { cost_usd: null })], ['lead', settled({}, { cost_usd: 2 })]).cost_usd,
    ).toBeNull()
  })

  test('a call that used no token costs nothing', () => {
    expect(tallied(['lead', settled({}, { cost_usd: null })]).cost_usd).toBe(0)
  })

  test('a failed call is no turn, its tokens count', () => {
    expect(tallied(['lead', settled({ input: 9 }, { stop: 'error' })]).members[0]).toMatchObject({
      turns: 0,
      usage: { input: 9 },
    })
  })

  test('keeps reasoning tokens when there were some', () => {
    expect(tallied(['lead', settled({ reasoning: 3 })], ['lead', settled({})]).usage.reasoning).toBe(3)
    expect(tallied(['lead', settled({})]).usage).not.toHaveProperty('reasoning')
  })

  test.each([
    ['starting', { type: 'member.started', incarnation: 'i', executor: 'in-process', pid: 1 }],
    ['busy', { type: 'member.woke' }],
    ['idle', { type: 'member.idled' }],
    ['draining', { type: 'member.drained' }],
    ['gone', { type: 'member.gone', reason: 'end' }],
  ] as const)('a member is %s after %j', (status, fact) => {
    expect(tallied(['writer', fact]).members[1]?.status).toBe(status)
  })

  test.each([
    ['starting', { type: 'member.spawned', member: 'writer', attempt: 1 }],
    ['crashed', { type: 'member.crashed', member: 'writer', error: 'x' }],
    ['crashed', { type: 'member.lost', member: 'writer', reason: 'x' }],
  ] as const)('the leader says that a member is %s by %j', (status, fact) => {
    expect(tallied(['team', fact]).members[1]?.status).toBe(status)
  })

  test('says why the latest work of a member ended', () => {
    expect(tallied(['lead', { type: 'agent.ended', turn: 1, reason: 'max_turns' }]).members[0]?.reason).toBe(
      'max_turns',
    )
    expect(
      tallied(['lead', { type: 'agent.ended', turn: 1, reason: 'max_turns' }], ['lead', ended]).members[0]?.reason,
    ).toBe('completed')
  })
})

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
