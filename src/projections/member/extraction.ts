import type { Entry } from '../../protocol/facts/entry.ts'
import { tokensOf } from '../cost/cost.ts'

/** The extractions of an agent's memories, over all its lives. */
export interface Extraction {
  /** The latest entry that an extraction has seen; null before the first one. */
  cursor: string | null
  /** Answers of the model that extracts. */
  answers: number
  readonly spent: { usd: number; tokens: number }
}

export function noExtraction(): Extraction {
  return { cursor: null, answers: 0, spent: { usd: 0, tokens: 0 } }
}

/** Takes one entry of the agent's journal in. */
export function applyExtraction(extraction: Extraction, entry: Entry): void {
  if (entry.type === 'memory.extracted') extraction.cursor = entry.upto
  if (entry.type !== 'model.consulted' || entry.purpose !== 'memory') return
  const { usage, cost_usd, stop } = entry
  extraction.spent.usd += cost_usd ?? 0
  extraction.spent.tokens += tokensOf(usage)
  if (stop !== 'error' && stop !== 'aborted') extraction.answers += 1
}
