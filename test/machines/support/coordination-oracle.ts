import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { memberName } from '../../../src/protocol/words/ids.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { HandOutInput } from '../../../src/protocol/port.ts'

/*
 * The rules of coordination, said a second time and without the machine: each step of a history is held against them.
 * Nothing here knows states, rounds or books; it knows pieces of work, their tasks and their results.
 */

type Status = 'done' | 'failed' | 'cancelled' | 'timed_out'

interface Piece {
  readonly needs: readonly string[]
  /** Attempts that were handed out, and those whose task was sent: a leader that begins anew knows only of these. */
  attempts: number
  sent: number
  /** Who was asked, and who has it: another one is a substitute. */
  readonly asked: string
  worker: string
  sentTo: string
  ended: Status | null
  /** A result `done` was written for it. */
  answered: boolean
}

/** One thing that happened, and what the coordinator did about it at once. */
export interface Step {
  readonly name: string
  /** A result that was written: the machine heard of it in this step. */
  readonly result?: {
    readonly request: string
    readonly status: 'done' | 'failed' | 'cancelled'
    readonly late: boolean
  }
  /** New pieces of work: those with `needs`, or without room, wait. */
  readonly asked?: {
    readonly request: string
    readonly worker: string
    readonly needs: readonly string[]
    readonly waits: boolean
  }
  readonly handedOut: readonly HandOutInput[]
  readonly facts: readonly Fact[]
  /** The leader was killed and another one began here. */
  readonly resumed?: boolean
}

/** A text that a worker ended its turn with, about a request. */
interface Written {
  readonly text: string
  readonly request: string
  readonly worker: string
}

interface Rules {
  readonly retry: number
  readonly concurrency: number
}

/** Judges a history step by step; `flaws` says what broke a rule, with the name of the step. */
export function coordinationOracle({ retry, concurrency }: Rules) {
  const pieces = new Map<string, Piece>()
  const flaws: string[] = []
  let gathers = 0
  const texts: Written[] = []
  /** By worker and request: what reached the lead, and what nobody waits for. */
  const said = new Map<string, string>()
  /** Requests by the mail of their tasks. */
  const tasks = new Map<string, string>()
  const recalled = new Set<string>()
  const isDone = (request: string): boolean => pieces.get(request)?.ended === 'done'
  const isOut = (piece: Piece): boolean => piece.ended === null && piece.attempts > 0
  const isFree = (piece: Piece): boolean => piece.ended === null && piece.attempts === 0 && piece.needs.every(isDone)

  const handOut = (wrong: (text: string) => void, step: Step): void => {
    for (const { request, worker, attempt, depends_on } of step.handedOut) {
      const piece = pieces.get(request)
      if (!piece) {
        wrong(`${request} was handed out and never asked for`)
        continue
      }
      if (piece.ended !== null) wrong(`${request} was handed out after its end`)
      if (attempt !== piece.attempts + 1) wrong(`${request}: attempt ${attempt} after ${piece.attempts}`)
      const early = [...piece.needs, ...depends_on].filter((needed) => !isDone(needed))
      if (early.length > 0) wrong(`${request} began before ${early.join()}`)
      Object.assign(piece, { attempts: attempt, worker })
    }
  }
  const state = (wrong: (text: string) => void, fact: Fact): void => {
    if (fact.type === 'gather.opened') gathers += 1
    if (fact.type !== 'request.settled') return
    const piece = pieces.get(fact.request)
    if (!piece) {
      wrong(`${fact.request} ended and was never asked for`)
      return
    }
    if (piece.ended !== null) wrong(`${fact.request} ended twice: ${piece.ended}, ${fact.status}`)
    if (fact.status === 'done' && !piece.answered) wrong(`${fact.request} is done without a result`)
    piece.ended = fact.status
  }
  const hearResult = ({ request, status, late }: NonNullable<Step['result']>): (() => string | null) => {
    const piece = pieces.get(request)
    if (!piece || late || piece.ended !== null) return () => null
    const { attempts, asked, worker } = piece
    if (status === 'done') piece.answered = true
    if (status === 'done') return () => (piece.ended === 'done' ? null : `${request} is not done by its result`)
    if (status === 'cancelled') return () => (piece.ended === 'cancelled' ? null : `${request} is not cancelled`)
    if (worker !== asked || attempts > retry) return () => null
    return () => (piece.attempts === attempts + 1 ? null : `${request} was not tried again at once`)
  }

  return {
    pieces,
    flaws,
    hearMail({ id, kind, request = '', reply_to = '', sender, to, body }: Envelope): void {
      if (kind === 'task') tasks.set(id, request)
      const about = kind === 'text' ? (tasks.get(reply_to) ?? '') : request
      const place = `${sender} ${about}`
      if (kind === 'result' || kind === 'text') said.set(place, `${said.get(place) ?? ''}\n${body}`)
      if (kind === 'control' && request !== '') recalled.add(`${memberName(to)} ${request}`)
    },
    hearText: (written: Written): void => void texts.push(written),
    /** Nobody has anything left to do, and no time has passed: what waits now would wait for ever. */
    rest(lost: readonly string[]): void {
      for (const [request, { ended, worker }] of pieces)
        if (ended === null && !lost.includes(worker)) flaws.push(`the rest: ${request} of ${worker} never ends`)
      for (const { text, request, worker } of texts) {
        const place = `${worker} ${request}`
        const isWanted = !['cancelled', 'timed_out'].includes(pieces.get(request)?.ended ?? '')
        if (!isWanted || lost.includes(worker) || recalled.has(place) || said.get(place)?.includes(text)) continue
        flaws.push(`the rest: ${text} about ${request} is lost`)
      }
    },
    /** The task of this attempt was sent. */
    hearHandOut(request: string, attempt: number, sentTo: string): void {
      const piece = pieces.get(request)
      if (piece && attempt >= piece.sent) Object.assign(piece, { sent: attempt, sentTo })
    },
    hear(step: Step): void {
      const wrong = (text: string): void => void flaws.push(`${step.name}: ${text}`)
      if (step.asked) {
        const { request, worker, needs, waits } = step.asked
        const attempts = waits ? 0 : 1
        const begun = { attempts, sent: attempts, asked: worker, worker, sentTo: worker }
        pieces.set(request, { needs, ...begun, ended: null, answered: false })
      }
      if (step.resumed) {
        for (const piece of pieces.values()) Object.assign(piece, { attempts: piece.sent, worker: piece.sentTo })
      }
      const expected = step.result ? hearResult(step.result) : () => null
      // Endings first: what they let begin, begins in the same step.
      for (const fact of step.facts) state(wrong, fact)
      handOut(wrong, step)
      const missed = expected()
      if (missed !== null) wrong(missed)
      const all = [...pieces.values()]
      const out = all.filter(isOut).length
      if (all.some(isFree) && out < concurrency) wrong('a piece that could begin was left waiting')
      for (const [request, { ended, attempts, needs }] of pieces) {
        const lost = needs.some((needed) => !['done', null].includes(pieces.get(needed)?.ended ?? null))
        if (ended === null && attempts === 0 && lost) wrong(`${request} waits for what will never be done`)
      }
    },
    /** After the end of everything. */
    close(settledGathers: number): void {
      for (const [request, { ended }] of pieces) if (ended === null) flaws.push(`the end: ${request} has no outcome`)
      if (gathers > 0 && settledGathers === 0) flaws.push('the end: no round was ever over')
    },
  }
}
