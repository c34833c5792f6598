import type { Effort, ModelRequest } from '../../../protocol/models/model.ts'

/** Below so many tokens of thinking an effort is the nearest. */
const byBudget: readonly (readonly [below: number, effort: Effort])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
]

/** `nearestEffort(8_000)` → `medium` */
export function nearestEffort(budget: number): Effort {
  return byBudget.find(([below]) => budget < below)?.[1] ?? 'high'
}

/** The highest efforts, which not every model of OpenAI knows. */
export type HighEffort = 'max' | 'xhigh'

export const effortRefusals = {
  max: /['"`]max['"`]/i,
  xhigh: /xhigh/i,
  effort: /reasoning|effort/i,
}

export const effortNames = { max: 'the highest effort', xhigh: 'the highest effort', effort: 'an effort' }

/** How hard to think in OpenAI's words, or undefined when nothing was said about it or the server does not know of it. */
export function effortName(
  { effort, thinking_budget: budget }: ModelRequest,
  conceded: ReadonlySet<string>,
): string | undefined {
  if (conceded.has('effort')) return undefined
  if (effort === 'max') return ['max', 'xhigh'].find((name) => !conceded.has(name)) ?? 'high'
  if (effort !== undefined || budget === undefined) return effort
  return budget < 1 ? 'none' : nearestEffort(budget)
}
