import { gatherNote, planAgainText, type GatherWhy, type NotedRequest } from '../../rules/team/gather-note.ts'

/** What the lead is to be told of its requests when it next looks at its mail. */
export interface Briefing {
  /** A gather has settled. */
  settled(why: GatherWhy): void
  /** It asked for another round. */
  plansAgain(): void
  /** It was told these before: none of its results is told twice. */
  heard(texts: readonly string[]): void
  /** There is something to tell. */
  waits(): boolean
  /** What there is to tell, once; null when there is nothing. */
  take(): string | null
}

export interface BriefingOptions {
  readonly partition: 'enforced' | 'relaxed'
  /** The requests of the present round. */
  round(): readonly NotedRequest[]
  evidence(request: string): string | undefined
}

/**
 * Keeps what happened to the lead's requests until it is looked at, so that results which land together are told together,
 * once, and as they stand then.
 */
export function leadBriefing({ partition, round, evidence }: BriefingOptions): Briefing {
  let why: GatherWhy | null = null
  let again = false
  let earlier: ReadonlySet<string> = new Set()
  const pending = (): string | null => {
    if (again) return planAgainText
    if (why === null) return null
    const requests = round().map((request) => ({ ...request, evidence: evidence(request.request) }))
    const note = gatherNote(why, requests, partition)
    return earlier.has(note) ? null : note
  }
  return {
    settled: (settledWhy) => void (why = settledWhy),
    plansAgain: () => void (again = true),
    heard: (texts) => void (earlier = new Set(texts)),
    waits: () => pending() !== null,
    take() {
      const text = pending()
      why = null
      again = false
      return text
    },
  }
}
