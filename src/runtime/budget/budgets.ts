import { applySpent, type Spent } from '../../projections/cost/spending.ts'
import type { BudgetLease } from '../../protocol/work/orders.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Budget, MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { capOf, openLeases, type OpenAccount, type Counter, type Leases } from './leases.ts'
import {
  amountUnits,
  keptFor,
  leftOf,
  minus,
  nearlyUsed,
  nothing,
  plus,
  usedUp,
  weighCall,
  worstCase,
  type Account,
  type Amounts,
  type AmountUnit,
  type BudgetUnit,
  type CallNeed,
  type CallVerdict,
} from '../../rules/team/call-budget.ts'

/** The most that one call may cost, as its member estimates. */
export type CallEstimate = Omit<CallNeed, 'leads' | 'at'>

/** Part of the budget, set aside for one call. */
export interface Reservation {
  readonly act: 'go'
  readonly max_tokens: number
  /** Says what the call came to, once; what is left is anybody's again. Returns the limits that are nearly used now. */
  settle(amounts: Amounts): readonly NearLimit[]
}

export interface NearLimit {
  readonly scope: Account['scope']
  readonly unit: AmountUnit
}

export type BudgetRefusal = Extract<CallVerdict, { act: 'stop' }>

/** The budget that one member spends from: its own, inside that of the team. */
export interface Allowance {
  /** Dollars or tokens are limited: an answer may have to be shorter. */
  readonly limitsAnswers: boolean
  readonly limitsDollars: boolean
  /** Waits while calls that are being made hold what this one needs; null when the signal aborts meanwhile. */
  reserve(need: CallEstimate, signal: AbortSignal): Promise<Reservation | BudgetRefusal | null>
  /** True once for each model without a price. */
  isNewlyUnpriced(model: string): boolean
  /** A model without a price is not asked. */
  readonly refusesUnpriced: boolean
}

/** The budgets of one run: nothing is spent past them, because it is set aside before it is asked for. */
export interface Budgets extends Leases {
  /** Null when nothing limits this member. */
  allowance(card: MemberCard): Allowance | null
  /** When the coordinator has to be asked for its report, so that there is time for it; never where time is not limited. */
  readonly reportsAt: number
  /** The rest of the team's budget, under the limits that there are. */
  left(): ReturnType<typeof leftOf>
  /** The limit of the team's budget of which nothing is left to begin with. */
  usedUp(): BudgetUnit | null
  /** In the process of a leased member: this is all that it may ever spend of the team's budget. */
  obey(lease: BudgetLease): void
  /** In the process of a leased member: it rests, and gives back what it has. */
  rest(): void
}

/** The source of budgets. `earlier` are the facts of the run so far. */
export interface BudgetsOptions {
  readonly team: Pick<ResolvedTeam, 'budget' | 'members'>
  readonly now: () => number
  readonly earlier: readonly Recorded[]
  /** This process's share of the team's budget, when another process owns that budget. */
  readonly lease?: BudgetLease | null
}

/** @param parts whose budgets, and what was spent of them before this process */
export function openBudgets({ team, now, earlier, lease = null }: BudgetsOptions): Budgets {
  const spent: Spent = new Map()
  for (const recorded of earlier) applySpent(spent, recorded)
  const reopened = openedAgain(earlier)
  const since = reopened ?? earlier[0]?.entry.at ?? now()
  const shared = lease ? leasedAccount(lease) : accountOf(team.budget, { scope: 'team', since })
  shared.spent = [...spent.values()].reduce(plus, nothing)
  const books = new Map(team.members.map((card) => [card.name, ownBook(card, { spent, earlier, reopened })] as const))
  const sets = { warned: new Set<string>(), unpriced: new Set<string>(), waiting: new Set<() => void>() }
  const store: Counter = { shared, now, ...sets, given: false, unpricedRefused: team.budget.unpriced === 'refuse' }
  const leases = openLeases(store, books)
  let rests = 0
  return {
    allowance(card) {
      const own = books.get(card.name)
      return own && (isLimited(own) || isLimited(shared)) ? openAllowance(store, own, card) : null
    },
    ...leases,
    // Half of the time for reports is the workers'.
    reportsAt: Math.floor((shared.closing + shared.closed) / 2),
    left: () => leftOf(shared, now()),
    usedUp: () => usedUp(shared, now()),
    rest() {
      rests += 1
      store.given = shared.scope === 'lease' && isLimited(shared)
    },
    obey(given) {
      if (given.rests !== rests) return
      store.given = false
      shared.cap = capOf(given)
      for (const unit of amountUnits) store.warned.delete(`lease ${unit}`)
      for (const wake of store.waiting) wake()
    },
  }
}

interface Past extends Pick<BudgetsOptions, 'earlier'> {
  readonly spent: Spent
  readonly reopened: number | undefined
}

function ownBook(card: MemberCard, { spent, earlier, reopened = 0 }: Past): OpenAccount {
  const started = earlier.find(({ owner, entry }) => owner === card.name && entry.type === 'member.started')
  const since = started ? Math.max(started.entry.at, reopened) : null
  const own = accountOf(card.budget, { scope: 'member', since })
  own.spent = spent.get(card.name) ?? nothing
  return own
}

/** When a person opened the run again, after its last end: time counts from then. */
function openedAgain(earlier: readonly Recorded[]): number | undefined {
  return earlier.findLast(({ entry }) => entry.type === 'team.reopened')?.entry.at
}

function leasedAccount(lease: BudgetLease): OpenAccount {
  const whole = { spent: nothing, held: nothing, kept: nothing, closing: Infinity, closed: Infinity }
  return { ...whole, scope: 'lease', cap: capOf(lease) }
}

function isLimited({ cap, closed }: Account): boolean {
  return closed < Infinity || amountUnits.some((unit) => cap[unit] < Infinity)
}

const waits: CallVerdict = { act: 'wait' }

function openAllowance(counter: Counter, own: OpenAccount, card: MemberCard): Allowance {
  const { shared, now, unpriced } = counter
  const accounts = [own, shared]
  const leads = card.role === 'coordinator'
  if (own.closed < 0) openTime(own, card.budget, now())
  const limits = (unit: AmountUnit): boolean => accounts.some(({ cap }) => cap[unit] < Infinity)
  return {
    limitsAnswers: limits('usd') || limits('tokens'),
    limitsDollars: limits('usd'),
    async reserve(given, signal) {
      const need = { ...given, leads }
      if (leads) shared.kept = keptFor(shared.cap, need)
      for (;;) {
        if (signal.aborted) return null
        const verdict = counter.given ? waits : weighCall(accounts, { ...need, at: now() })
        if (verdict.act === 'go') return reserved(counter, accounts, { need, max_tokens: verdict.max_tokens, card })
        if (verdict.act === 'stop') return verdict
        await turnOf(counter, signal)
      }
    },
    refusesUnpriced: limits('usd') && refusesUnpriced(counter, card),
    isNewlyUnpriced: (model) => !unpriced.has(model) && unpriced.add(model).has(model),
  }
}

function refusesUnpriced({ unpricedRefused }: Counter, { budget }: MemberCard): boolean {
  return budget.unpriced === undefined ? unpricedRefused : budget.unpriced === 'refuse'
}

interface Granted {
  readonly need: Pick<CallNeed, 'fixed' | 'rate'>
  readonly max_tokens: number
  readonly card: MemberCard
}

function reserved(counter: Counter, books: readonly OpenAccount[], { need, max_tokens, card }: Granted): Reservation {
  const worst = worstCase(need, max_tokens)
  for (const book of books) book.held = plus(book.held, worst)
  let open = true
  return {
    act: 'go',
    max_tokens,
    settle(amounts) {
      if (!open) return []
      open = false
      for (const book of books) {
        book.held = minus(book.held, worst)
        book.spent = plus(book.spent, amounts)
      }
      for (const wake of counter.waiting) wake()
      return books.flatMap((book) => news(counter, book, card))
    },
  }
}

/** The limits that have just come near, each said once in a run. */
function news({ warned }: Counter, book: OpenAccount, { name }: MemberCard): readonly NearLimit[] {
  const { scope } = book
  return nearlyUsed(book).flatMap((unit) => {
    const key = `${scope === 'member' ? name : scope} ${unit}`
    return warned.has(key) ? [] : warned.add(key) && [{ scope, unit }]
  })
}

/** Resolves when a call ended, or the signal aborts. */
function turnOf({ waiting }: Counter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    waiting.add(wake)
    signal.addEventListener('abort', wake, { once: true })
  })
}

function accountOf(budget: Budget, { scope, since }: Pick<Account, 'scope'> & { since: number | null }): OpenAccount {
  const { usd = Infinity, tokens = Infinity, turns = Infinity, minutes } = budget
  const cap = { usd: Math.round(usd * 1_000_000), tokens, turns }
  const kept = scope === 'team' ? keptFor(cap, { fixed: nothing, rate: 0 }) : nothing
  // Below zero: limited, and not begun.
  const time = minutes === undefined ? Infinity : -1
  const book: OpenAccount = { scope, cap, kept, spent: nothing, held: nothing, closing: time, closed: time }
  if (since !== null) openTime(book, budget, since)
  return book
}

/** The last tenth of the time, and a minute at most, is for reports. */
function openTime(book: OpenAccount, { minutes }: Budget, since: number): void {
  const length = (minutes ?? Infinity) * 60_000
  book.closed = since + length
  book.closing = length === Infinity ? Infinity : book.closed - Math.min(length / 10, 60_000)
}
