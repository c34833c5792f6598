import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { BudgetLease } from '../../protocol/work/orders.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Shares of the team's budget that the leader lends to members in other processes. A share is stated before it counts.
 */
export interface Lending {
  /** More for a member; null when nothing is limited. */
  lease(member: string): BudgetLease | null
  /** A member lives on with this; false when its latest leader had not answered it yet. */
  goesOn(member: string, lease: BudgetLease | undefined): boolean
  /** Hears a member; true when it needs a lease. */
  heard(recorded: Recorded): boolean
  ended(member: string): void
}

type Lender = Pick<RunContext, 'budgets' | 'team' | 'earlier'>

/**
 * A member gives its lease back with each rest, and gets another when it wakes. Leases carry the number of its rests,
 * so that a lease from before a rest is never taken for one after it.
 */
export function lendBudget({ budgets, team, earlier }: Lender, record: (facts: readonly Fact[]) => void): Lending {
  const rests = new Map<string, number>()
  const others = team.members.filter(({ executor }) => executor !== 'in-process')
  const count = ({ owner, entry }: Recorded): void => {
    if (entry.type === 'member.started') rests.set(owner, 0)
    if (entry.type === 'member.idled') rests.set(owner, (rests.get(owner) ?? 0) + 1)
  }
  for (const recorded of earlier.recorded) count(recorded)
  const ended = (member: string): void => {
    if (budgets.ended(member)) record([{ type: 'budget.returned', member }])
  }
  return {
    lease(member) {
      const waiting = others.filter(({ name }) => name !== member && !budgets.isLeased(name)).length
      const given = budgets.lease(member, waiting + 2)
      if (given === null) return null
      const lease = { ...given, rests: rests.get(member) ?? 0 }
      record([{ type: 'budget.leased', member, lease }])
      return lease
    },
    goesOn(member, lease) {
      if (lease === undefined || lease.rests !== (rests.get(member) ?? 0)) return false
      budgets.holds(member, lease)
      return true
    },
    heard(recorded) {
      const { owner, entry } = recorded
      count(recorded)
      if (entry.type === 'member.idled') ended(owner)
      if (entry.type === 'budget.warned') return entry.scope === 'lease'
      return entry.type === 'member.woke' && !budgets.isLeased(owner)
    },
    ended(member) {
      rests.delete(member)
      ended(member)
    },
  }
}
