import { addUsage, noUsage, type Usage } from '../../protocol/conversation/message.ts'
import { getOrMake } from '../fold/fold.ts'
import { foldOverPaid, type Paid } from './paid.ts'

/** Tokens and dollars of a number of model calls. `cost_usd` is null as soon as the price of one of them is unknown. */
export interface Spending {
  /** Answers that arrived: calls that failed or were aborted are not counted. */
  answers: number
  usage: Usage
  cost_usd: number | null
}

/** Spending in all, by member, by model and by purpose. */
export interface Cost {
  readonly total: Spending
  readonly members: Map<string, Spending>
  readonly models: Map<string, Spending>
  /** Questions beside the members' own work, by what they were for: summaries, memories, advice, … */
  readonly purposes: Map<string, Spending>
}

export function emptySpending(): Spending {
  return { answers: 0, usage: noUsage, cost_usd: 0 }
}

export function emptyCost(): Cost {
  return { total: emptySpending(), members: new Map(), models: new Map(), purposes: new Map() }
}

function count(cost: Cost, paid: Paid, owner: string): void {
  spend(cost.total, paid)
  spend(getOrMake(cost.members, owner, emptySpending), paid)
  spend(getOrMake(cost.models, paid.model, emptySpending), paid)
  if (paid.type !== 'model.consulted') return
  const purpose = getOrMake(cost.purposes, paid.purpose, emptySpending)
  spend(purpose, paid)
  purpose.answers += 1
}

/** Takes one recorded fact into the cost: answers, and attempts that came to nothing. */
export const applyCost = foldOverPaid(count)

/** Adds one call of a model. */
export function spend(spending: Spending, settled: Paid): void {
  const answered = settled.type === 'model.settled' && settled.stop !== 'error' && settled.stop !== 'aborted'
  spending.answers += answered ? 1 : 0
  spending.usage = addUsage(spending.usage, settled.usage)
  const cost = settled.cost_usd ?? (tokensOf(settled.usage) === 0 ? 0 : null)
  spending.cost_usd = spending.cost_usd === null || cost === null ? null : decimal(spending.cost_usd + cost)
}

/** A sum without the last digits of binary fractions: prices are decimal numbers. */
function decimal(usd: number): number {
  return Number(usd.toFixed(12))
}

/** All tokens that went in or came out, cached ones included. */
export function tokensOf(usage: Usage): number {
  return promptTokens(usage) + usage.output
}

/** All tokens that went in, cached ones included. */
export function promptTokens(usage: Pick<Usage, 'input' | 'cache_read' | 'cache_write'>): number {
  return usage.input + usage.cache_read + usage.cache_write
}
