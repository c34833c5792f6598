import type { Readable, Writable } from 'node:stream'
import type { Answer } from '../../protocol/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'
import { choiceOf, choices, retry } from './choice.ts'
import { lineSource, type LineSource } from './line-source.ts'
import { nobodyAnswers } from './nobody.ts'

/**
 * Owns the dialog with one person at one terminal.
 * 1. Questions of all members wait in one queue; the first that came is asked first, one at a time.
 * 2. A line typed before its question stood on the screen is no answer: it is dropped.
 * 3. An aborted question leaves the queue or the screen at once and its promise rejects; nothing else rejects.
 * 4. When the terminal is closed, what is open and what comes later is denied as by nobody.
 * It never decides, and prints only what `describe` makes of a question.
 */
export interface TerminalApproverOptions {
  readonly input: Readable
  readonly output: Writable
  /** The question as text for a screen, control characters removed. */
  readonly describe: (question: Question) => string
  /** Takes other things off the screen while a question stands there. */
  readonly pause: () => void
  readonly resume: () => void
  /** How long lines are ignored after a question appears (default 200). */
  readonly graceMs?: number
}

/** One question with the signal that may withdraw it. */
interface Asked {
  readonly question: Question
  readonly signal: AbortSignal
}

/**
 * Asks a person at a terminal: once, for this session, deny, or deny and stop the member.
 *
 * `terminalApprover({ input: process.stdin, output: process.stderr, describe, pause, resume })`
 *
 * @throws the signal's reason when the question is aborted
 */
export function terminalApprover(options: TerminalApproverOptions): Approver {
  const lines = lineSource(options.input)
  let last: Promise<unknown> = Promise.resolve()
  return {
    answer(question, signal) {
      const turn = Promise.race([last, aborted(signal)]).then(() => dialog(options, lines, { question, signal }))
      last = Promise.allSettled([last, turn])
      return turn
    },
  }
}

function dialog(options: TerminalApproverOptions, lines: LineSource, asked: Asked): Promise<Answer> {
  const { output, describe, pause, resume, graceMs = 200 } = options
  const { question, signal } = asked
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let armed = graceMs <= 0
    const grace = setTimeout(() => (armed = true), graceMs)
    const leave = (): void => {
      clearTimeout(grace)
      lines.read(null)
      signal.removeEventListener('abort', withdraw)
      resume()
    }
    const withdraw = (): void => {
      output.write('\n(this question is withdrawn)\n')
      leave()
      reject(reasonOf(signal))
    }
    const hear = (line: string | null): void => {
      if (line !== null && !armed) return
      const answer = line === null ? nobodyAnswers(question) : choiceOf(line)
      if (answer === null) return void output.write(retry)
      leave()
      resolve(answer)
    }
    signal.addEventListener('abort', withdraw, { once: true })
    pause()
    output.write(`${describe(question)}\n${choices}`)
    lines.read(hear)
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(reasonOf(signal))
    if (signal.aborted) refuse()
    else signal.addEventListener('abort', refuse, { once: true })
  })
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('the question was aborted')
}
