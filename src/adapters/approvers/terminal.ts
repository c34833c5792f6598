import type { Readable, Writable } from 'node:stream'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'
import { chosen, inquiryText } from './inquiry-text.ts'
import { nobodyAnswers } from './nobody.ts'
import { createInterface } from 'node:readline'
import type { Grants } from '../../protocol/permissions/approval-file.ts'

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

/** Hears one line, or null when no further line can come. */
type LineReader = (line: string | null) => void

/**
 * Lines of an input, each handed to whoever reads at that moment and dropped when nobody does. The input is
 * opened with the first reader, so that a run without questions never touches it.
 */
interface LineSource {
  read(reader: LineReader | null): void
}

/** `lineSource(process.stdin).read((line) => …)` */
function lineSource(input: Readable): LineSource {
  let reader: LineReader | null = null
  let opened = false
  let closed = false

  const open = (): void => {
    opened = true
    const lines = createInterface({ input, terminal: false })
    lines.on('line', (line) => reader?.(line))
    lines.on('close', () => {
      closed = true
      reader?.(null)
    })
  }

  return {
    read(next) {
      reader = next
      if (next === null) return
      if (closed || input.destroyed || input.readableEnded) next(null)
      else if (!opened) open()
    },
  }
}

const words = {
  once: '[o]nce',
  session: '[s]ession',
  always: '[a]lways',
  deny: '[d]eny, with advice if you like',
  stop: '[x] deny and stop this member',
} as const
type Choice = keyof typeof words

const meant: Readonly<Record<string, Choice>> = {
  o: 'once',
  s: 'session',
  a: 'always',
  save: 'always',
  d: 'deny',
  x: 'stop',
  ...Object.fromEntries(Object.keys(words).map((word) => [word, word as Choice])),
}

/** Choices that may be typed for a question; rules are granted only where a rule can say it. */
export function choicesOf({ session, save }: Grants): string {
  const offered = offeredOf({ session, save }).map((choice) => words[choice])
  const rules = save.length > 0 ? `always allows ${save.join(' and ')}\n` : ''
  return `${rules}${offered.join('  ')} > `
}

/** The reply to a line that is none of the choices. */
export function retryOf(grants: Grants): string {
  const letters = offeredOf(grants).map((choice) => /\[(.)\]/.exec(words[choice])?.[1] ?? '')
  return `Please type ${letters.slice(0, -1).join(', ')} or ${letters.at(-1) ?? ''}: `
}

/**
 * The answer of a typed line, or null when the line is none of the offered choices. Text after a denial is the advice
 * that the member is given. `choiceOf('d use the staging host', grants)` → `{ behavior: 'deny', reason: 'use the
 * staging host', … }`
 */
export function choiceOf(line: string, grants: Grants): Answer | null {
  const [word = '', ...rest] = line.trim().split(/\s+/)
  const choice = meant[word.toLowerCase()]
  if (choice === undefined || !offeredOf(grants).includes(choice)) return null
  return answerTo(choice, rest.join(' '), grants)
}

function answerTo(choice: Choice, advice: string, { save }: Grants): Answer {
  if (choice === 'deny') return { behavior: 'deny', source: 'human', reason: advice || 'denied', scope: 'once' }
  if (choice === 'stop') {
    return { behavior: 'deny', source: 'human', reason: advice || 'denied, and told to stop', scope: 'stop' }
  }
  const allowed = { behavior: 'allow', source: 'human' } as const
  if (choice === 'session') return { ...allowed, reason: 'allowed for this session', scope: 'session' }
  if (choice === 'always') return { ...allowed, reason: 'allowed from now on', scope: 'save', rules: save }
  return { ...allowed, reason: 'allowed once', scope: 'once' }
}

function offeredOf({ session, save }: Grants): readonly Choice[] {
  return [
    'once',
    ...(session.length > 0 ? (['session'] as const) : []),
    ...(save.length > 0 ? (['always'] as const) : []),
    'deny',
    'stop',
  ]
}
