import { expect, test } from 'vitest'
import {
  clumsyTurns,
  escalationPlan,
  escalationText,
  lastWord,
  strongerWanted,
  takeoverText,
} from '../../../src/rules/conversation/escalation.ts'

test('what is not said of an escalation is filled in', () => {
  expect(escalationPlan('a/b')).toEqual({ model: 'a/b', after_errors: 3, on_loop: true })
  expect(escalationPlan({ model: 'a/b', on_loop: false })).toEqual({ model: 'a/b', after_errors: 3, on_loop: false })
})

test('the mark counts at the beginning of an answer only', () => {
  expect(strongerWanted('\n STRONGER MODEL NEEDED: It is hard. ')).toEqual({ reason: 'It is hard.' })
  expect(strongerWanted('No STRONGER MODEL NEEDED: I can do it.')).toBeNull()
  expect(strongerWanted(`STRONGER MODEL NEEDED: ${'x'.repeat(9_000)}`)?.reason).toHaveLength(500)
  expect(escalationText).toContain('STRONGER MODEL NEEDED:')
})

test('a last word that asks for one where none is left says that, and no other is changed', () => {
  const beyond = 'No stronger model was left to ask, and this one says that the task is beyond it'
  expect(lastWord('STRONGER MODEL NEEDED: A proof.\nOr two.')).toBe(`${beyond}: A proof.\nOr two.`)
  expect(lastWord('STRONGER MODEL NEEDED:')).toBe(`${beyond}.`)
  expect(lastWord('Is a STRONGER MODEL NEEDED: yes.')).toBe('Is a STRONGER MODEL NEEDED: yes.')
})

test('only calls that could not be made are counted, and only in a row', () => {
  expect(clumsyTurns(1, [{ refusedFor: 'malformed' }, {}])).toBe(2)
  expect(clumsyTurns(1, [{ refusedFor: 'hook' }, { refusedFor: 'meaning' }])).toBe(0)
  expect(clumsyTurns(5, [])).toBe(0)
})

test('who takes over is told why, and the words of the other one are words', () => {
  expect(takeoverText('marker', 'Say "yes".')).toContain(`Its words: "Say 'yes'."`)
  expect(takeoverText('loop', '')).toContain('the same calls')
})
