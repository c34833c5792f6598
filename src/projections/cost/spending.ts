import type { Usage } from '../../protocol/conversation/message.ts'
import { nothing, plus, type Amounts } from '../../rules/team/call-budget.ts'
import { tokensOf } from './cost.ts'
import { foldOverPaid } from './paid.ts'

/** What each member has used of a budget, by name. */
export type Spent = Map<string, Amounts>

interface Used {
  readonly usage: Usage
  readonly cost_usd: number | null
}

/**
 * What a call comes to: what nobody knows the price of is free, and an attempt that failed is no answer.
 *
 * @example amountsOf({ usage, cost_usd: 0.25 }, true) // { usd: 250000, tokens: …, turns: 1 }
 */
export function amountsOf({ usage, cost_usd }: Used, answered: boolean): Amounts {
  return { usd: Math.round((cost_usd ?? 0) * 1_000_000), tokens: tokensOf(usage), turns: answered ? 1 : 0 }
}

/** Takes one recorded fact into what was spent. */
export const applySpent = foldOverPaid((spent: Spent, paid, owner) =>
  add(spent, owner, amountsOf(paid, paid.type === 'model.settled' && paid.stop !== 'error')),
)

function add(spent: Spent, owner: string, amounts: Amounts): void {
  spent.set(owner, plus(spent.get(owner) ?? nothing, amounts))
}
