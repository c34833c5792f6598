import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { approverContract, question } from '../../contracts/approver.ts'
import { dialogTerminal } from './dialog-terminal.ts'

const never = new AbortController().signal

approverContract('a terminal', () => {
  const { approver, input } = dialogTerminal()
  return { approver, leaveAlone: () => input.end() }
})

describe('a person at a terminal', () => {
  test.each([
    ['o', 'allow', 'once'],
    ['s', 'allow', 'session'],
    ['a', 'allow', 'save'],
    ['d', 'deny', 'once'],
    ['x', 'deny', 'stop'],
  ] as const)('typing %s means %s, %s', async (line, behavior, scope) => {
    const { approver, type, printed } = dialogTerminal()
    const answer = approver.answer(question('npm test'), never)
    await type(`${line}\r`)
    expect(await answer).toMatchObject({ behavior, scope, source: 'human' })
    expect(printed).toEqual(['may I {"command":"npm test"}?', `> ${line}`])
  })

  test('is asked again until the answer is one of the choices', async () => {
    const { approver, type, foot } = dialogTerminal()
    const answer = approver.answer(question('npm test'), never)
    for (const line of ['\r', 'yes please\r']) {
      await type(line)
      expect(foot()?.[0]).toContain('Please type o, s, a, d or x')
    }
    await type('o\r')
    expect((await answer).behavior).toBe('allow')
  })

  test('sees the question again for a question mark', async () => {
    const { approver, type, printed } = dialogTerminal()
    const answer = approver.answer(question('npm test'), never)
    await type('?\r')
    expect(printed).toEqual(Array(2).fill('may I {"command":"npm test"}?'))
    await type('x\r')
    await answer
  })

  test('edits the line', async () => {
    const { approver, type, foot } = dialogTerminal()
    const answer = approver.answer(question('npm test'), never)
    await type('o\u0015d no way\u0017日\u007fne\u001b[Dw\u007f')
    expect(foot()?.[1]).toBe('> d no ne▏')
    await type('\u009b\u0007ver\r')
    expect(await answer).toMatchObject({ behavior: 'deny', reason: 'no never' })
  })

  test('sees one question at a time, in the order in which they came', async () => {
    const { approver, type, printed, foot } = dialogTerminal()
    const answers = ['one', 'two'].map((command) => approver.answer(question(command), never))
    await type('o\r')
    expect(printed).toEqual(['may I {"command":"one"}?', '> o', 'may I {"command":"two"}?'])
    await type('d not now\r')
    expect(await Promise.all(answers)).toMatchObject([{ behavior: 'allow' }, { behavior: 'deny', reason: 'not now' }])
    expect(foot()).toBeNull()
  })

  test('does not answer a question with what came before it', async () => {
    const { approver, type, foot } = dialogTerminal()
    const first = approver.answer(question('one'), never)
    const second = approver.answer(question('two'), never)
    await type('o\ro\ro')
    await first
    expect(foot()).toEqual([expect.stringContaining('writer, Bash: [o]nce')])
    await type('x\r')
    expect((await second).scope).toBe('stop')
  })

  test('has a moment to see the question before a key counts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { approver, input, foot, type } = dialogTerminal({ graceMs: 50 })
    const answer = approver.answer(question('npm test'), never)
    while (foot() === null) await turn()
    vi.advanceTimersByTime(49)
    input.write('o\r')
    await turn()
    vi.advanceTimersByTime(1)
    await type('d\r')
    expect((await answer).behavior).toBe('deny')
  })

  test('sees that a question was withdrawn, and is asked the next, with what was typed gone', async () => {
    const { approver, type, printed } = dialogTerminal()
    const stop = new AbortController()
    const withdrawn = approver.answer(question('one'), stop.signal)
    const next = approver.answer(question('two'), never)
    await type('o')
    const reason = new Error('the member was stopped')
    stop.abort(reason)
    await expect(withdrawn).rejects.toBe(reason)
    await type('\rd\r')
    expect((await next).behavior).toBe('deny')
    expect(printed.slice(1, 3)).toEqual([
      '(writer, Bash: the member was stopped. The question needs no answer any more.)',
      'may I {"command":"two"}?',
    ])
  })

  test('never sees a question that was aborted in the queue', async () => {
    const { approver, type, printed } = dialogTerminal()
    const stop = new AbortController()
    const first = approver.answer(question('one'), never)
    const second = approver.answer(question('two'), stop.signal)
    const third = approver.answer(question('three'), never)
    stop.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    await type('o\r')
    await first
    await type('o\r')
    await third
    expect(printed.join()).not.toContain('"two"')
  })

  test.each(['end', '\u0004'])('who leaves (%j) is nobody: open and later questions are denied', async (how) => {
    const { approver, input, prompted } = dialogTerminal()
    const open = approver.answer(question('one'), never)
    await prompted()
    if (how === 'end') input.end()
    else input.write(how)
    expect((await open).source).toBe('nobody')
    expect((await approver.answer(question('two'), never)).source).toBe('nobody')
  })

  test('interrupts and suspends the process as at any terminal', async () => {
    const { approver, type, signals } = dialogTerminal()
    const stop = new AbortController()
    const answer = approver.answer(question('one'), stop.signal)
    await type('o\u001a\u0003')
    expect(signals).toEqual(['suspend', 'interrupt'])
    stop.abort(new Error('stopped'))
    await expect(answer).rejects.toThrow('stopped')
  })

  test('nothing reads the terminal before the first question', () => {
    const { input } = dialogTerminal()
    expect(input.listenerCount('data') + input.listenerCount('readable')).toBe(0)
  })
})
