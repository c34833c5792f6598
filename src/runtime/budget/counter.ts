import type { BudgetLease } from '../../protocol/work/orders.ts'
import type { Account, Amounts } from '../../rules/team/call-budget.ts'

/** An account as it is kept. */
export type OpenAccount = { -readonly [Key in keyof Account]: Account[Key] }

/** State that all allowances of a run share. */
export interface Counter {
  readonly shared: OpenAccount
  now(): number
  readonly warned: Set<string>
  readonly unpriced: Set<string>
  /** Callers that wait for the end of another member's call, in the order in which they came. */
  readonly waiting: Set<() => void>
  /** The lease was given back: nothing is reserved before there is another. */
  given: boolean
}

/** Limits as they stand in orders. */
export type Limits = Omit<BudgetLease, 'rests'>

/** A limit that is none stands as null in orders. */
export function capOf({ usd, tokens, turns }: Limits): Amounts {
  return { usd: usd ?? Infinity, tokens: tokens ?? Infinity, turns: turns ?? Infinity }
}
