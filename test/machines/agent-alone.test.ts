import { describe, expect, test } from 'vitest'
import { answers, assistant, commands, description, intakes, outcome, settled, use } from './support/agent-samples.ts'
import { asked, at, ends, newFacts, oneTurn, said, starts } from './support/agent-walk.ts'
import { answer, take } from './support/walk.ts'

const a = outcome('a', 'Read')

describe('an agent without an inbox', () => {
  test('asks again as soon as its calls have ended', () => {
    const before = asked({ alone: true })
    const walk = oneTurn(before)
    expect(at(walk)).toBe('thinking.asking')
    expect(newFacts(before, walk).slice(-2)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'next_turn' },
      { type: 'model.requested', turn: 2, model: 'scripted/a' },
    ])
  })

  test('fits its context first when there is a compactor', () => {
    expect(at(oneTurn(asked({ alone: true, compacts: true })))).toBe('thinking.fitting')
  })

  test('says what a person said meanwhile, and has as many turns as any', () => {
    const told = take(said(asked({ alone: true, limits: { max_turns: 2 } }), answers.call), commands.steer)
    const walk = ends(told, '0', a)
    expect(
      newFacts(told, walk)
        .slice(-3)
        .map((fact) => fact.type),
    ).toEqual(['turn.continued', 'message.appended', 'model.requested'])
    expect(oneTurn(walk).snapshot.output).toMatchObject({ reason: 'max_turns', turn: 2 })
  })
})

describe('calls that were allowed as they were described', () => {
  test('of later batches are judged anew', () => {
    const decision = { behavior: 'allow', source: 'mode', reason: 'reads' } as const
    const calls = [description('a', 'Bash', { allowed: decision }), description('b', 'Bash', { allowed: decision })]
    const message = assistant({ content: [use('a', 'Bash'), use('b', 'Bash')] })
    const first = said(asked(), settled(message, calls))
    expect(starts(first.effects).at(-1)?.[1]).toMatchObject({ call: { id: 'a', allowed: decision } })
    const second = answer(ends(first, '0', outcome('a', 'Bash')), 'intake', intakes.go)
    const [src, input] = starts(second.effects).at(-1) ?? []
    expect([src, input]).toEqual(['toolCall', { call: description('b', 'Bash'), hooked: false }])
  })
})
