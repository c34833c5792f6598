import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { choiceOf, choicesOf, retryOf, terminalApprover } from '../../../src/adapters/approvers/terminal.ts'
import { approverContract, question } from '../../contracts/approver.ts'

function openTerminal(graceMs = 0) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const events: string[] = []
  const approver = terminalApprover({
    input,
    output,
    graceMs,
    describe: ({ call }) => `may I ${JSON.stringify(call.input)}?`,
    pause: () => void events.push('pause'),
    resume: () => void events.push('resume'),
  })
  const printed: string[] = []
  output.on('data', (text: string) => printed.push(text))
  const type = async (line: string): Promise<void> => {
    await turn()
    input.write(`${line}\n`)
    await turn()
  }
  return { approver, input, events, type, screen: () => printed.join(''), leaveAlone: () => input.end() }
}

const never = new AbortController().signal

approverContract('a terminal', () => openTerminal())

afterEach(() => vi.useRealTimers())

describe('a person at a terminal', () => {
  test.each([
    ['o', 'allow', 'once'],
    ['s', 'allow', 'session'],
    ['a', 'allow', 'save'],
    ['d', 'deny', 'once'],
    ['x', 'deny', 'stop'],
  ] as const)('typing %s means %s, %s', async (line, behavior, scope) => {
    const { approver, type } = openTerminal()
    const answer = approver.answer(question('npm test'), never)
    await type(line)
    expect(await answer).toMatchObject({ behavior, scope, source: 'human' })
  })

  test('is asked again until the answer is one of the choices', async () => {
    const { approver, type, screen } = openTerminal()
    const answer = approver.answer(question('npm test'), never)
    await type('')
    await type('yes please')
    expect(screen().split('Please type o, s, a, d or x')).toHaveLength(3)
    await type('o')
    expect((await answer).behavior).toBe('allow')
  })

  test('sees one question at a time, in the order in which they came', async () => {
    const { approver, type, screen, events } = openTerminal()
    const answers = ['one', 'two'].map((command) => approver.answer(question(command), never))
    await turn()
    expect(screen()).toContain('"one"')
    expect(screen()).not.toContain('"two"')
    await type('o')
    expect(screen()).toContain('"two"')
    await type('d not now')
    expect(await Promise.all(answers)).toMatchObject([{ behavior: 'allow' }, { behavior: 'deny', reason: 'not now' }])
    expect(events).toEqual(['pause', 'resume', 'pause', 'resume'])
  })

  test('does not answer a question with a line that came before it', async () => {
    const { approver, type, input } = openTerminal()
    const first = approver.answer(question('one'), never)
    const second = approver.answer(question('two'), never)
    await turn()
    input.write('o\no\n')
    await first
    let answered = false
    void second.then(() => (answered = true))
    await turn()
    expect(answered).toBe(false)
    await type('x')
    expect((await second).scope).toBe('stop')
  })

  test('has a moment to see the question before a line counts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { approver, type } = openTerminal(200)
    const answer = approver.answer(question('npm test'), never)
    await type('o')
    vi.advanceTimersByTime(200)
    await type('d')
    expect((await answer).behavior).toBe('deny')
  })

  test('sees that a question was withdrawn, and is asked the next', async () => {
    const { approver, type, screen, events } = openTerminal()
    const stop = new AbortController()
    const withdrawn = approver.answer(question('one'), stop.signal)
    const next = approver.answer(question('two'), never)
    await turn()
    const reason = new Error('the member was stopped')
    stop.abort(reason)
    await expect(withdrawn).rejects.toBe(reason)
    await turn()
    expect(screen()).toContain('(this question is withdrawn: the member was stopped)')
    expect(screen()).toContain('"two"')
    await type('o')
    expect((await next).behavior).toBe('allow')
    expect(events).toEqual(['pause', 'resume', 'pause', 'resume'])
  })

  test('never sees a question that was aborted in the queue', async () => {
    const { approver, type, screen } = openTerminal()
    const stop = new AbortController()
    const first = approver.answer(question('one'), never)
    const second = approver.answer(question('two'), stop.signal)
    const third = approver.answer(question('three'), never)
    stop.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    await type('o')
    await first
    await type('o')
    await third
    expect(screen()).not.toContain('"two"')
  })

  test('who leaves is nobody: open and later questions are denied', async () => {
    const { approver, input } = openTerminal()
    const open = approver.answer(question('one'), never)
    await turn()
    input.end()
    expect((await open).source).toBe('nobody')
    expect((await approver.answer(question('two'), never)).source).toBe('nobody')
  })

  test('nothing reads the terminal before the first question', () => {
    const { input } = openTerminal()
    expect(input.listenerCount('data') + input.listenerCount('readable')).toBe(0)
  })
})

const grants = { session: ['Bash(npm test)'], save: ['Bash(npm test:*)'] }

test.each([
  ['  O ', { behavior: 'allow', scope: 'once' }],
  ['session', { behavior: 'allow', scope: 'session' }],
  ['deny use  staging', { behavior: 'deny', reason: 'use staging' }],
  ['stop', { behavior: 'deny', scope: 'stop' }],
])('%j is a choice', (line, answer) => {
  expect(choiceOf(line, grants)).toMatchObject(answer)
})

test.each(['', ' ', 'y', 'yes', 'ok', 'oo', 'n'])('%j is none', (line) => {
  expect(choiceOf(line, grants)).toBeNull()
})

test('what no rule can say is not offered, and is no choice', () => {
  const none = { session: [], save: [] }
  expect(choicesOf(none)).toBe('[o]nce  [d]eny, with advice if you like  [x] deny and stop this member > ')
  expect(retryOf(none)).toBe('Please type o, d or x: ')
  expect([choiceOf('s', none), choiceOf('always', none)]).toEqual([null, null])
  expect(choiceOf('o', none)).toMatchObject({ scope: 'once' })
})

test('what would be saved is shown, and is what is granted', () => {
  expect(choicesOf(grants)).toContain('always allows Bash(npm test:*)\n[o]nce')
  expect(choiceOf('a', grants)).toMatchObject({ scope: 'save', rules: ['Bash(npm test:*)'] })
})
