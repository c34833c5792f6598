import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'
import { chosenAnswer, type OpenQuestion } from '../../protocol/tools/own-question.ts'
import { choiceOf, choicesOf, retryOf } from './choices.ts'
import { inquiryText } from './inquiry-text.ts'
import { nobodyAnswers } from './nobody.ts'
import { type RawInput, type TerminalSignals, typedLines, type TypedLines } from './typed-line.ts'

/**
 * Owns the dialog with one person at one terminal.
 * 1. Questions of all members wait in one queue; the first that came is asked first, one at a time.
 * 2. A question is on the screen, whole, before any key counts for it; what was typed earlier, also for a question that
 *    was withdrawn, is dropped.
 * 3. An aborted question leaves the queue or the screen at once and its promise rejects; nothing else rejects.
 * 4. When the terminal is closed, what is open and what comes later is denied as by nobody.
 * It never decides, and prints only what `describe` makes of a question.
 */
export interface TerminalApproverOptions extends TerminalSignals {
  readonly input: RawInput
  readonly screen: DialogScreen
  /** The question as text for a screen, control characters removed. */
  readonly describe: (question: Question) => string | Promise<string>
  /** How long keys are ignored after a question appears (default 200). */
  readonly graceMs?: number
}

/** The part of a screen that a dialog needs; others go on writing to it meanwhile. */
export interface DialogScreen {
  /** Prints text that stays. */
  print(text: string): void
  /** Keeps these lines below everything that is printed; null takes them away. */
  foot(lines: readonly string[] | null): void
}

/** An approver that has a terminal to give back. */
export interface TerminalApprover extends Approver {
  /** Takes what was typed and heard by nobody off the terminal. */
  close(): Promise<void>
}

/** One question as it stands on the screen; `read` makes an answer of a line, or null when it is none. */
interface Asked<Given> {
  /** The member, with the tool that it wants to use. */
  readonly subject: string
  /** Made when its turn has come: what it shows may have changed while it waited. */
  text(): string | Promise<string>
  /** Said above the line that is typed. */
  readonly how: string
  /** Said instead after a line that is no answer. */
  readonly retry: string
  readonly signal: AbortSignal
  /** The line is null when no further one can come. */
  read(line: string | null): { readonly given: Given } | null
}

/**
 * Asks a person at a terminal: once, for this session, deny, or deny and stop the member.
 *
 * `terminalApprover({ input: process.stdin, screen, describe, interrupt, suspend })`
 *
 * @throws the signal's reason when the question is aborted
 */
export function terminalApprover(options: TerminalApproverOptions): TerminalApprover {
  const { input, screen, graceMs = 200, interrupt, suspend } = options
  const lines = typedLines({ input, graceMs, interrupt, suspend })
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Given>(asked: Asked<Given>): Promise<Given> => {
    const turn = Promise.race([last, aborted(asked.signal)]).then(async () =>
      dialog(screen, lines, { ...asked, shown: await asked.text() }),
    )
    last = Promise.allSettled([last, turn])
    return turn
  }
  return {
    close: lines.close,
    answer: (question, signal) =>
      inTurn<Answer>({
        text: () => options.describe(question),
        subject: `${question.member}, ${question.call.tool}`,
        how: `${question.member}, ${question.call.tool}: ${choicesOf(question.grants)}`,
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
        subject: question.member,
        how: `${question.member} asks: ${wayToAnswer(question)}`,
        retry: 'Please answer; ? shows the question again.',
        signal,
        read(line) {
          if (line === null) return { given: null }
          return line.trim() === '' ? null : { given: chosenAnswer(line.trim(), question) }
        },
      }),
  }
}

function wayToAnswer({ options, several }: OpenQuestion): string {
  if (options.length === 0) return 'your answer'
  return several ? 'one or more numbers (1, 2), or your own answer' : 'a number, or your own answer'
}

type Shown<Given> = Asked<Given> & { readonly shown: string }

const prompt = '> '

function dialog<Given>(screen: DialogScreen, lines: TypedLines, asked: Shown<Given>): Promise<Given> {
  const { subject, shown, how, retry, signal, read } = asked
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let said = how
    const leave = (): void => {
      deafen()
      screen.foot(null)
      signal.removeEventListener('abort', withdraw)
    }
    const withdraw = (): void => {
      leave()
      screen.print(plain(`(${subject}: ${reasonOf(signal).message}. The question needs no answer any more.)`))
      reject(reasonOf(signal))
    }
    const hear = (line: string | null): void => {
      if (line?.trim() === '?') {
        screen.print(shown)
        return
      }
      const answer = read(line)
      if (answer === null) {
        said = `${retry} ${how}`
        return
      }
      leave()
      if (line !== null) screen.print(plain(`${prompt}${line}`))
      resolve(answer.given)
    }
    const typed = (line: string): void => screen.foot([plain(said), `${prompt}${endOf(line)}▏`])
    signal.addEventListener('abort', withdraw, { once: true })
    screen.print(shown)
    screen.foot([plain(how)])
    // Keys count from here on, and only when this question could be seen.
    let deafen = (): void => undefined
    deafen = lines.hear({ ready: () => typed(''), changed: typed, entered: hear, ended: () => hear(null) })
  })
}

/** A line that was pasted may be of any length. */
function endOf(line: string): string {
  return line.length > longestShown ? `…${line.slice(-longestShown)}` : line
}

const longestShown = 400

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
