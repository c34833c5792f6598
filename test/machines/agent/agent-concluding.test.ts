import { describe, expect, test } from 'vitest'
import { noUsage, userMessage } from '../../../src/protocol/conversation/message.ts'
import type { VerifyOutput } from '../../../src/protocol/port.ts'
import { refutationText } from '../../../src/rules/team/verification.ts'
import { noAnswerReason, noAnswerText } from '../../../src/rules/team/wind-down-text.ts'
import {
  answers,
  assistant,
  commands,
  errorOutcome,
  intakes,
  outcome,
  settled,
  verify,
} from '../support/agent-samples.ts'
import { asked, at, ends, goAsk, newFacts, oneTurn, said, starts } from '../support/agent-walk.ts'
import { answer, reject, take } from '../support/walk.ts'

const steer = commands.steer.message
const followUp = commands.follow_up.message

describe('stop hooks', () => {
  const concluding = () => said(asked({ hooked: true }), answers.text)

  test('are asked with the turn', () => {
    expect(starts(concluding().effects).at(-1)).toEqual(['stopHooks', { turn: 1 }])
  })

  test('send the agent back with their words, in the same turn', () => {
    const before = concluding()
    const walk = answer(before, 'stopHooks', { verdict: 'block', messages: ['Run the tests.', 'All of them.'] })
    expect(newFacts(before, walk)).toEqual([
      { type: 'turn.continued', turn: 1, reason: 'stop_hook_blocking' },
      { type: 'message.appended', message: userMessage('Run the tests.', 'hook') },
      { type: 'message.appended', message: userMessage('All of them.', 'hook') },
    ])
  })

  test('end the agent, or let it end', () => {
    expect(answer(concluding(), 'stopHooks', { verdict: 'prevent' }).snapshot.output).toEqual({
      reason: 'stop_hook_prevented',
      turn: 1,
    })
    expect(at(answer(concluding(), 'stopHooks', { verdict: 'none' }))).toBe('thinking.closing')
  })

  test('that fail are reported and have no say', () => {
    const before = concluding()
    const walk = reject(before, 'stopHooks', 'gone')
    expect(newFacts(before, walk)).toEqual([{ type: 'warning.raised', code: 'stop_hooks_failed', message: 'gone' }])
    expect(at(walk)).toBe('thinking.closing')
  })
})

describe('the check of the work', () => {
  const checked = (max_turns = 5) => asked({ verify, limits: { max_turns } })
  const verifying = (max_turns = 5) => said(checked(max_turns), answers.text)
  const red: Extract<VerifyOutput, { verdict: 'failed' }> = {
    verdict: 'failed',
    report: 'Two tests are red.\n[exit 1]',
  }

  test('gets the plan and the turn, and makes an end verified', () => {
    expect(starts(verifying().effects).at(-1)).toEqual(['verify', { plan: verify, turn: 1, after: 'end' }])
    const closing = answer(verifying(), 'verify', { verdict: 'passed' })
    expect(answer(closing, 'intake', intakes.go).snapshot.output).toMatchObject({ reason: 'verified' })
  })

  test('that did not run leaves it completed', () => {
    const closing = answer(verifying(), 'verify', { verdict: 'none', stop: false })
    expect(answer(closing, 'intake', intakes.go).snapshot.output).toMatchObject({ reason: 'completed' })
  })

  test('ends the agent when a person said so', () => {
    const walk = answer(verifying(), 'verify', { verdict: 'none', stop: true })
    expect(walk.snapshot.output).toMatchObject({ reason: 'aborted_streaming' })
  })

  test('that does not pass sends the agent back for another turn, with what was printed marked as such', () => {
    const before = verifying()
    const walk = answer(before, 'verify', red)
    const told = refutationText(verify, { after: 'end', report: red.report, failures: 1 })
    expect(newFacts(before, walk)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'verify_failed' },
      { type: 'message.appended', message: userMessage(told, 'runtime') },
    ])
    expect(told).toContain('\n| Two tests are red.\n| [exit 1]\n')
  })

  test('that did not pass as often as it may is the end of it', () => {
    const walk = answer(said(goAsk(answer(verifying(), 'verify', red)), answers.text), 'verify', red)
    expect(walk.snapshot.output).toMatchObject({
      reason: 'failed',
      failure: {
        code: 'unverified',
        message: '`npm test` did not pass at 2 ends in a row: Two tests are red. [exit 1]',
      },
    })
  })

  test('cannot send it back beyond the last turn', () => {
    const before = verifying(1)
    const walk = answer(before, 'verify', red)
    expect(newFacts(before, walk)).toEqual([{ type: 'agent.ended', turn: 1, reason: 'max_turns' }])
  })

  test('that breaks is reported, and nothing is verified', () => {
    const before = verifying()
    const walk = reject(before, 'verify', 'gone')
    expect(newFacts(before, walk)).toEqual([{ type: 'warning.raised', code: 'verify_failed', message: 'gone' }])
    expect(answer(walk, 'intake', intakes.go).snapshot.output).toMatchObject({ reason: 'completed' })
  })

  test('that nobody waits for any more is closed by whoever gave it up', () => {
    const before = verifying()
    expect(newFacts(before, take(before, commands.abort))[0]).toMatchObject({
      type: 'verify.settled',
      call_id: 'verify-1',
      after: 'end',
      verdict: 'not_run',
    })
  })

  test('stands until something may have changed', () => {
    const passed = answer(answer(verifying(), 'verify', { verdict: 'passed' }), 'intake', intakes.mail)
    const unchanged = answer(said(goAsk(oneTurn(goAsk(passed))), answers.text), 'intake', intakes.go)
    expect(unchanged.snapshot.output).toMatchObject({ reason: 'verified', turn: 3 })
    const changed = ends(said(goAsk(passed), answers.change), '0', errorOutcome('a', 'Write'))
    expect(at(said(goAsk(changed), answers.text))).toBe('thinking.verifying')
  })

  describe('after a turn', () => {
    const changed = (plan = verify) =>
      ends(said(asked({ verify: plan, limits: { max_turns: 5 } }), answers.change), '0', outcome('a', 'Write'))

    test('comes when something changed without an error, and where it is wanted', () => {
      expect(starts(changed().effects).at(-1)).toEqual(['verify', { plan: verify, turn: 1, after: 'change' }])
      expect(at(changed({ ...verify, after_changes: false }))).toBe('thinking.asking')
      expect(at(oneTurn(checked()))).toBe('thinking.asking')
      expect(at(ends(said(checked(), answers.change), '0', errorOutcome('a', 'Write')))).toBe('thinking.asking')
    })

    test('says nothing when it passes, and need not be repeated at the end', () => {
      const before = changed()
      const walk = answer(before, 'verify', { verdict: 'passed' })
      expect(newFacts(before, walk)).toEqual([
        { type: 'turn.continued', turn: 2, reason: 'next_turn' },
        { type: 'model.requested', turn: 2, model: 'scripted/a' },
      ])
      expect(at(said(goAsk(walk), answers.text))).toBe('thinking.closing')
    })

    test('tells the agent what does not pass, as often as that is so', () => {
      const before = changed()
      const walk = answer(before, 'verify', red)
      const told = refutationText(verify, { after: 'change', report: red.report, failures: 0 })
      expect(newFacts(before, walk)).toEqual([
        { type: 'turn.continued', turn: 2, reason: 'verify_failed' },
        { type: 'message.appended', message: userMessage(told, 'runtime') },
        { type: 'model.requested', turn: 2, model: 'scripted/a' },
      ])
      const again = ends(said(goAsk(walk), answers.change), '0', outcome('a', 'Write'))
      expect(at(answer(again, 'verify', red))).toBe('thinking.asking')
    })

    test('is given up by an abort, and by a person who says stop', () => {
      const before = changed()
      expect(newFacts(before, take(before, commands.abort)).map(({ type }) => type)).toEqual([
        'verify.settled',
        'agent.ended',
      ])
      expect(answer(before, 'verify', { verdict: 'none', stop: true }).snapshot.output).toMatchObject({
        reason: 'aborted_tools',
      })
    })

    test('that breaks is reported', () => {
      const before = changed()
      expect(newFacts(before, reject(before, 'verify', 'gone'))[0]).toMatchObject({ code: 'verify_failed' })
    })
  })
})

describe('a goal in tokens', () => {
  const wrote = (output: number) => settled(assistant({ usage: { ...noUsage, output } }))
  const budgeted = () => asked({ limits: { max_turns: 9, token_goal: 2_000 } })

  test('asks for more below it, and says how far the agent is', () => {
    const before = budgeted()
    const walk = said(before, wrote(601))
    expect(newFacts(before, walk).slice(2)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'budget_continuation' },
      {
        type: 'message.appended',
        message: userMessage(
          'You have written 30% of what this work is meant to be worth (601 of 2000 tokens). Keep working; do not summarise.',
          'runtime',
        ),
      },
    ])
  })

  test('counts all turns and lets the agent end at nine tenths', () => {
    const walk = said(goAsk(said(budgeted(), wrote(900))), wrote(899))
    expect(at(walk)).toBe('thinking.taking_in')
    const end = said(goAsk(said(budgeted(), wrote(900))), wrote(900))
    expect(answer(end, 'intake', intakes.nothing).snapshot.output).toEqual({
      reason: 'completed',
      turn: 2,
    })
  })

  test('ends an agent that hardly adds anything', () => {
    let walk = budgeted()
    for (let turn = 0; turn < 3; turn += 1) walk = goAsk(said(walk, wrote(10)))
    expect(said(walk, wrote(10)).snapshot.output).toMatchObject({ reason: 'diminishing_returns', turn: 4 })
  })
})

describe('before it stops', () => {
  const words = [steer, followUp].map((message) => ({ type: 'message.appended', message }))

  test('an agent hears the people who wait, all in one turn', () => {
    const before = take(take(take(asked(), commands.follow_up), commands.steer), commands.follow_up)
    const walk = said(before, answers.text)
    expect(newFacts(before, walk).slice(2)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'steered' },
      words[1],
      words[1],
      words[0],
    ])
  })

  test('it reads the inbox once more', () => {
    const closing = said(asked(), answers.text)
    expect(starts(closing.effects).at(-1)).toEqual(['intake', { turn: 1, parkable: false, answered: true }])
    const walk = answer(closing, 'intake', intakes.mail)
    expect(newFacts(closing, walk)).toEqual([{ type: 'turn.continued', turn: 2, reason: 'mail' }])
    expect(starts(walk.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
  })

  test('it is asked for the answer that it owes, once', () => {
    const closing = said(asked(), answers.text)
    const reminded = answer(closing, 'intake', intakes.owes)
    expect(newFacts(closing, reminded)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'no_answer' },
      { type: 'message.appended', message: userMessage(noAnswerText, 'runtime') },
    ])
    expect(at(answer(said(goAsk(reminded), answers.text), 'intake', intakes.go))).toBe('done')
    const silent = answer(said(goAsk(reminded), answers.text), 'intake', intakes.owes)
    expect(silent.snapshot.output).toMatchObject({
      reason: 'no_answer',
      failure: { code: 'no_answer', message: noAnswerReason({}, 2) },
    })
  })

  test('mail that does not wait is answered first', () => {
    const walk = take(said(asked(), answers.text), commands.interrupt)
    expect(at(answer(walk, 'intake', intakes.go))).toBe('thinking.taking_in')
  })

  test('it hears who spoke while it did', () => {
    const closing = take(said(asked(), answers.text), commands.follow_up)
    const walk = answer(closing, 'intake', intakes.go)
    expect(newFacts(closing, walk)).toEqual([{ type: 'turn.continued', turn: 2, reason: 'steered' }, words[1]])
    expect(starts(walk.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
    const steered = take(said(asked(), answers.text), commands.steer)
    expect(newFacts(steered, answer(steered, 'intake', intakes.go))).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'steered' },
      words[0],
    ])
  })

  test('it looks again when a bell rang meanwhile', () => {
    const rung = take(said(asked(), answers.text), commands.wake)
    const walk = answer(rung, 'intake', intakes.go)
    expect(at(walk)).toBe('thinking.closing')
    expect(at(answer(walk, 'intake', intakes.go))).toBe('done')
    const before = said(take(asked(), commands.wake), answers.text)
    expect(at(answer(before, 'intake', intakes.go))).toBe('done')
  })

  test('it fails when the inbox cannot be read', () => {
    const walk = reject(said(asked(), answers.text), 'intake', 'disk full')
    expect(walk.snapshot.output).toMatchObject({ reason: 'failed', failure: { message: 'intake: disk full' } })
  })

  test('beyond its last turn it only notes what people said', () => {
    const before = take(take(asked({ limits: { max_turns: 1 } }), commands.steer), commands.follow_up)
    const walk = said(before, answers.text)
    expect(newFacts(before, walk).slice(2)).toEqual([
      words[1],
      words[0],
      { type: 'agent.ended', turn: 1, reason: 'max_turns' },
    ])
  })

  test('when it is aborted, too', () => {
    const before = take(take(asked(), commands.steer), commands.follow_up)
    expect(newFacts(before, take(before, commands.abort))).toEqual([
      ...words,
      { type: 'agent.ended', turn: 1, reason: 'aborted_streaming' },
    ])
  })
})

describe('an abort after tools', () => {
  test('is one, until the model is asked again', () => {
    const walk = ends(take(said(asked(), answers.call), commands.wake), '0', outcome('a', 'Read'))
    expect(take(walk, commands.abort).snapshot.output).toMatchObject({ reason: 'aborted_tools', turn: 2 })
    expect(take(goAsk(walk), commands.abort).snapshot.output).toMatchObject({ reason: 'aborted_streaming', turn: 2 })
  })
})
