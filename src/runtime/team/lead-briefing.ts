import { gatherNote, planAgainText, type GatherWhy, type NotedRequest } from '../../rules/team/gather-note.ts'

/** News about its requests that the lead is told when it next takes in mail. */
export interface Briefing {
  /** A gather has settled. */
  settled(why: GatherWhy): void
  /** Notes that the lead asked for another round. */
  plansAgain(): void
  /** Notes texts that an earlier life of the lead was told: none of their results is told twice. */
  heard(texts: readonly string[]): void
  /** True while news waits to be told. */
  waits(): boolean
  /** Takes the news, once; null when there is none. */
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
