import { describe, expect, test } from 'vitest'
import { answers, assistant, commands, description, intakes, outcome, settled, use } from '../support/agent-samples.ts'
import { asked, at, ends, newFacts, oneTurn, said, starts } from '../support/agent-walk.ts'
import { answer, take } from '../support/walk.ts'

const a = outcome('a', 'Read')

describe('the next turn', () => {
  test('is asked as soon as the calls have ended, where nothing rang', () => {
    const before = asked()
    const walk = oneTurn(before)
    expect(at(walk)).toBe('thinking.asking')
    expect(newFacts(before, walk).slice(-2)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'next_turn' },
      { type: 'model.requested', turn: 2, model: 'scripted/a' },
    ])
  })

  test.each(['wake', 'interrupt'] as const)('reads the inbox first that rang (%s)', (bell) => {
    const walk = ends(take(said(asked(), answers.call), commands[bell]), '0', a)
    expect(at(walk)).toBe('thinking.taking_in')
    expect(walk.snapshot.context.state.rung).toBeNull()
    expect(starts(walk.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
    expect(at(oneTurn(answer(walk, 'intake', intakes.mail)))).toBe('thinking.asking')
  })

  test('says what a person said meanwhile', () => {
    const told = take(said(asked(), answers.call), commands.steer)
    expect(
      newFacts(told, ends(told, '0', a))
        .slice(-3)
        .map((fact) => fact.type),
    ).toEqual(['turn.continued', 'message.appended', 'model.requested'])
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
