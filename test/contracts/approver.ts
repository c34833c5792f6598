import { describe, expect, test } from 'vitest'
import type { Approver, Question } from '../../src/protocol/port.ts'

/** An approver to be tried, and how to leave it without anybody who answers. */
export interface ApproverSubject {
  readonly approver: Approver
  /** From now on nobody is there. */
  leaveAlone(): void
}

/** A question about a Bash command, asked by the mode unless a rule is named. */
export function question(command: string, more: Partial<Question['decision']> = {}): Question {
  return {
    member: 'writer',
    call: {
      id: `call-${command}`,
      tool: 'Bash',
      input: { command },
      refusal: null,
      safe: false,
      readOnly: false,
      interrupt: 'block',
      checked: false,
    },
    decision: { behavior: 'ask', source: 'mode', reason: 'nothing allows it', ...more },
    grants: { session: [`Bash(${command})`], save: [`Bash(${command}:*)`] },
    near: [],
  }
}

/** What the permission machine relies on, whoever answers. */
export function approverContract(name: string, open: () => ApproverSubject): void {
  describe(`${name} as an approver`, () => {
    const alive = new AbortController()

    test('refuses a question that is aborted already', async () => {
      const { approver } = open()
      const reason = new Error('stopped')
      await expect(approver.answer(question('ls'), AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    test('denies when nobody is there, and says what would allow it', async () => {
      const { approver, leaveAlone } = open()
      leaveAlone()
      const answer = await approver.answer(question('npm test'), alive.signal)
      expect(answer).toMatchObject({ behavior: 'deny', source: 'nobody' })
      expect(answer.reason).toContain('--allow "Bash(npm test)"')
    })

    test('answers every one of many questions', async () => {
      const { approver, leaveAlone } = open()
      const asked = ['a', 'b', 'c'].map((command) => approver.answer(question(command), alive.signal))
      leaveAlone()
      const answers = await Promise.all(asked)
      expect(answers.map(({ behavior }) => behavior)).toEqual(['deny', 'deny', 'deny'])
      expect(answers.map(({ reason }) => reason)).toEqual(
        ['a', 'b', 'c'].map((command): unknown => expect.stringContaining(`Bash(${command})`)),
      )
    })

    test('an aborted question does not hold up the next one', async () => {
      const { approver, leaveAlone } = open()
      const stop = new AbortController()
      const first = approver.answer(question('first'), stop.signal).then(
        ({ behavior }) => behavior,
        (error: unknown) => error,
      )
      const second = approver.answer(question('second'), alive.signal)
      stop.abort(new Error('withdrawn'))
      leaveAlone()
      expect((await second).behavior).toBe('deny')
      expect([new Error('withdrawn'), 'deny']).toContainEqual(await first)
    })
  })
}
