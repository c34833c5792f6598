import type { Usage } from '../../protocol/conversation/message.ts'
import { nothing, plus, type Amounts } from '../../rules/team/call-budget.ts'
import { tokensOf } from './cost.ts'
import { foldOverPaid } from './paid.ts'

/** The used part of a budget, by member name. */
export type Spent = Map<string, Amounts>

interface Used {
  readonly usage: Usage
  readonly cost_usd: number | null
}

/**
 * The amounts of a call: a call without a known price costs nothing, and a failed attempt counts as no turn.
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
