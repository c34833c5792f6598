import { applySpent, type Spent } from '../../projections/cost/spending.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { amountUnits, minus, nothing, plus, shareOf, type Account, type Amounts } from '../../rules/team/call-budget.ts'
import type { BudgetLease } from '../../protocol/work/orders.ts'

/** Shares of the team's budget for members in other processes. */
export interface Leases {
  /** Spent where nothing was reserved here: by a member in another process. */
  heard(recorded: Recorded): void
  /** Sets a part of the team's budget aside for a member in another process, or more of it; null when nothing is limited. */
  lease(member: string, sharers: number): Limits | null
  /** A member that lives on has this. */
  holds(member: string, lease: Limits): void
  isLeased(member: string): boolean
  /** Gives the rest of a member's lease back to all; false for a member without a lease. */
  ended(member: string): boolean
}

/**
 * Opens the leases of members in other processes. A lease limits the whole spending of its member, over all its lives;
 * the unspent part is reserved.
 */
export function openLeases({ shared, waiting }: Counter, books: ReadonlyMap<string, OpenAccount>): Leases {
  const leased = new Map<string, Amounts>()
  const spentBy = (member: string): Amounts => books.get(member)?.spent ?? nothing
  const holdAnew = (member: string, change: () => void): void => {
    shared.held = minus(shared.held, heldBy(leased.get(member), spentBy(member)))
    change()
    shared.held = plus(shared.held, heldBy(leased.get(member), spentBy(member)))
    for (const wake of waiting) wake()
  }
  return {
    lease(member, sharers) {
      if (amountUnits.every((unit) => shared.cap[unit] === Infinity)) return null
      const before = leased.get(member) ?? spentBy(member)
      const given = plus(before, shareOf(shared, Math.max(1, sharers)))
      holdAnew(member, () => leased.set(member, given))
      return leaseOf(given, shared)
    },
    holds: (member, lease) => holdAnew(member, () => leased.set(member, capOf(lease))),
    isLeased: (member) => leased.has(member),
    ended(member) {
      const had = leased.has(member)
      if (had) holdAnew(member, () => leased.delete(member))
      return had
    },
    heard(recorded) {
      const fresh: Spent = new Map()
      applySpent(fresh, recorded)
      for (const [owner, amounts] of fresh) {
        holdAnew(owner, () => {
          for (const book of [shared, books.get(owner)]) if (book) book.spent = plus(book.spent, amounts)
        })
      }
    },
  }
}

/** Of limits that are none nothing is held: Infinity less Infinity is no number. */
function heldBy(lease: Amounts | undefined, spent: Amounts): Amounts {
  if (lease === undefined) return nothing
  const left = (unit: keyof Amounts): number => (lease[unit] === Infinity ? 0 : Math.max(0, lease[unit] - spent[unit]))
  return { usd: left('usd'), tokens: left('tokens'), turns: left('turns') }
}

function leaseOf(given: Amounts, { cap }: Account): Limits {
  const limit = (unit: keyof Amounts): number | null => (cap[unit] === Infinity ? null : given[unit])
  return { usd: limit('usd'), tokens: limit('tokens'), turns: limit('turns') }
}

/** An account as it is kept. */
export type OpenAccount = { -readonly [Key in keyof Account]: Account[Key] }

/** State that all allowances of a run share. */
export interface Counter {
  readonly shared: OpenAccount
  now(): number
  readonly warned: Set<string>
  readonly unpriced: Set<string>
  /** The team wants no model without a price. */
  readonly unpricedRefused: boolean
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
