import { hearing } from '../../projections/fold/fold.ts'
import { callsOf } from '../../protocol/conversation/message.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { gatherNote, type Allowed, type GatherWhy, type NotedRequest } from '../../rules/team/gather-note.ts'
import { longestResult, withResults } from '../../rules/team/task-text.ts'

/** News about its requests that the lead is told when it next takes in mail. */
export interface Briefing {
  /** A gather has settled. */
  settled(why: GatherWhy): void
  /** True while news waits to be told, and the results that it is about are there to be read. */
  waits(): boolean
  /** Takes the news, once; null when there is none. */
  take(): string | null
}

interface BriefingOptions {
  readonly results: ComingResults
  /** The number of the present round. */
  present(): number
  /** The requests of a round and of those after it. */
  since(round: number): readonly (NotedRequest & { readonly held: boolean })[]
  evidence(request: string): string | undefined
  /** The members that a worker waits for. */
  waitsFor(worker: string): readonly string[]
  /** The requests that the lead may still make. */
  left(): Allowed
}

/**
 * Keeps what happened to the lead's requests until it is looked at, so that results which land together are told together,
 * once, and as they stand then. Results count when they are written, a moment before they lie in the lead's box: the
 * lead is told of none that it cannot read yet.
 */
export function leadBriefing({ results, present, since, evidence, waitsFor, left }: BriefingOptions): Briefing {
  let why: GatherWhy | null = null
  let round = 0
  const pending = (): string | null => {
    if (why === null || results.areComing()) return null
    const requests = since(round).map((request) => {
      const isOut = request.status === 'open' && !request.held
      return { ...request, evidence: evidence(request.request), waiting_for: isOut ? waitsFor(request.worker) : [] }
    })
    return gatherNote(why, requests, left())
  }
  return {
    settled(settledWhy) {
      // News that was not told yet is told with this.
      if (why === null) round = present()
      why = settledWhy
    },
    waits: () => pending() !== null,
    take() {
      const text = pending()
      if (text === null) return null
      why = null
      return withResults(text, results.takeStranded(), longestResult)
    },
  }
}

/** Results that workers have written to the lead and that the lead has not read. */
export interface ComingResults {
  hear(recorded: Recorded): void
  /** Some of them will lie in the lead's box in a moment: their writers live. */
  areComing(): boolean
  /** Takes those whose writers ended before their mail was in the box. */
  takeStranded(): readonly Envelope[]
}

/**
 * Follows results from their writers' journals into that of the lead.
 * @param stopped a writer of some of them has ended
 */
export function comingResults(lead: string, stopped: () => void): ComingResults {
  const unread = new Map<string, Envelope>()
  /** Results that were read, or given up, before the journal of their writer was: it may be another process's. */
  const early = new Set<string>()
  const living = new Set<string>()
  const ended = (member: string): void => {
    if (living.delete(member) && unread.size > 0) stopped()
  }
  return {
    hear: hearing({
      'mail.sent'({ envelope }) {
        if (envelope.kind !== 'result' || memberName(envelope.to) !== lead) return
        if (!early.delete(envelope.id)) unread.set(envelope.id, envelope)
      },
      'mail.received'({ envelope: { kind, id } }, owner) {
        if (owner === lead && kind === 'result' && !unread.delete(id)) early.add(id)
      },
      'mail.died'({ mail_id = '' }, owner) {
        if (owner === lead && !unread.delete(mail_id)) early.add(mail_id)
      },
      'member.spawned': ({ member }) => void living.add(member),
      'member.started': (_, member) => void living.add(member),
      'member.gone': (_, member) => ended(member),
      'member.crashed': ({ member }) => ended(member),
      'member.lost': ({ member }) => ended(member),
    }),
    areComing: () => [...unread.values()].some(({ sender }) => living.has(sender)),
    takeStranded() {
      const stranded = [...unread.values()]
      unread.clear()
      return stranded
    },
  }
}

/**
 * Whether the latest turn of the lead only told something to others: the lead may have more to do, such as to stop whom it
 * told. An answer is all that its asker waits for, and a question is one that the lead waits for.
 */
export function messagesOnly(lead: string): { hear(recorded: Recorded): void; only(): boolean } {
  let only = false
  return {
    hear: hearing({
      'message.appended'({ message }, owner) {
        if (owner !== lead || message.role !== 'assistant') return
        const calls = callsOf(message)
        only = calls.length > 0 && calls.every(({ name }) => name === 'SendMessage')
      },
      'mail.sent'({ envelope: { kind } }, owner) {
        if (owner === lead && kind !== 'text') only = false
      },
      // A worker that refuses to stop says why, and the lead may insist.
      'stop.refused': () => void (only = true),
    }),
    only: () => only,
  }
}
