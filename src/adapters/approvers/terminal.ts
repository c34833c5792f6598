import type { Readable, Writable } from 'node:stream'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'
import { choiceOf, choicesOf, retryOf } from './choice.ts'
import { chosen, inquiryText } from './inquiry-text.ts'
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
  readonly describe: (question: Question) => string | Promise<string>
  /** Takes other things off the screen while a question stands there. */
  readonly pause: () => void
  readonly resume: () => void
  /** How long lines are ignored after a question appears (default 200). */
  readonly graceMs?: number
}

/** One question as it stands on the screen; `read` makes an answer of a line, or null when it is none. */
interface Asked<Given> {
  /** Made when its turn has come: what it shows may have changed while it waited. */
  text(): string | Promise<string>
  /** Said to a line that is no answer. */
  readonly retry: string
  readonly signal: AbortSignal
  /** The line is null when no further one can come. */
  read(line: string | null): { readonly given: Given } | null
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
  const inTurn = <Given>(asked: Asked<Given>): Promise<Given> => {
    const turn = Promise.race([last, aborted(asked.signal)]).then(async () =>
      dialog(options, lines, { ...asked, shown: await asked.text() }),
    )
    last = Promise.allSettled([last, turn])
    return turn
  }
  return {
    answer: (question, signal) =>
      inTurn<Answer>({
        text: async () => `${await options.describe(question)}\n${plain(choicesOf(question.grants))}`,
        retry: retryOf(question.grants),
        signal,
        read(line) {
          const given = line === null ? nobodyAnswers(question) : choiceOf(line, question.grants)
          return given === null ? null : { given }
        },
      }),
    ask: (question, signal) =>
      inTurn<string | null>({
        text: () => inquiryText(question),
        retry: 'Please answer: ',
        signal,
        read(line) {
          if (line === null) return { given: null }
          return line.trim() === '' ? null : { given: chosen(line.trim(), question.options) }
        },
      }),
  }
}

type Shown<Given> = Asked<Given> & { readonly shown: string }

function dialog<Given>(options: TerminalApproverOptions, lines: LineSource, asked: Shown<Given>): Promise<Given> {
  const { output, pause, resume, graceMs = 200 } = options
  const { shown, retry, signal, read } = asked
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
      output.write(`\n(this question is withdrawn: ${plain(reasonOf(signal).message)})\n`)
      leave()
      reject(reasonOf(signal))
    }
    const hear = (line: string | null): void => {
      if (line !== null && !armed) return
      const answer = read(line)
      if (answer === null) return void output.write(retry)
      leave()
      resolve(answer.given)
    }
    signal.addEventListener('abort', withdraw, { once: true })
    pause()
    output.write(shown)
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

/** Rules and reasons were written by others: they cannot move the cursor. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\n' ? sign : ' '))
}
