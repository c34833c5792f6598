import { gatherNote, planAgainText, type GatherWhy, type NotedRequest } from '../rules/gather-note.ts'

/** What the lead is to be told of its requests when it next looks at its mail. */
export interface Briefing {
  /** A gather has settled. */
  settled(why: GatherWhy): void
  /** It asked for another round. */
  plansAgain(): void
  /** There is something to tell. */
  waits(): boolean
  /** What there is to tell, once; null when there is nothing. */
  take(): string | null
}

export interface BriefingParts {
  readonly partition: 'enforced' | 'relaxed'
  /** The requests of the present round. */
  round(): readonly NotedRequest[]
  evidence(request: string): string | undefined
}

/**
 * Keeps what happened to the lead's requests until it is looked at, so that results which land together are told together,
 * once, and as they stand then.
 */
export function leadBriefing({ partition, round, evidence }: BriefingParts): Briefing {
  let why: GatherWhy | null = null
  let again = false
  return {
    settled: (settledWhy) => void (why = settledWhy),
    plansAgain: () => void (again = true),
    waits: () => why !== null || again,
    take() {
      const requests = round().map((request) => ({ ...request, evidence: evidence(request.request) }))
      const note = why === null ? null : gatherNote(why, requests, partition)
      const text = again ? planAgainText : note
      why = null
      again = false
      return text
    },
  }
}
