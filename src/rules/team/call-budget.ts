import type { FactOf } from '../../protocol/facts/fact.ts'

export type AmountUnit = FactOf<'budget.warned'>['unit']
export type BudgetUnit = FactOf<'budget.exhausted'>['unit']

/** The limited amounts beside time. Dollars are counted in whole millionths, so that sums are exact. */
export const amountUnits = ['usd', 'tokens', 'turns'] as const satisfies readonly AmountUnit[]
export type Amounts = Readonly<Record<AmountUnit, number>>

export const nothing: Amounts = { usd: 0, tokens: 0, turns: 0 }

/** The owner of a limit; `lease` is the part of the team's budget that a member in another process was given. */
export type BudgetScope = FactOf<'budget.exhausted'>['scope']

/**
 * Whether work of the run was cut short. The last turn is often enough, and so is what a member does without advice; its
 * own budget is its coordinator's affair. Whatever else is used up ends the run with status `budget`.
 */
export function cutsShort({ scope, unit, last, aside }: Omit<FactOf<'budget.exhausted'>, 'type'>): boolean {
  return aside === undefined && scope !== 'member' && (last || unit !== 'turns')
}

/** A budget as it stands. A cap of Infinity is none. */
export interface Account {
  readonly scope: BudgetScope
  readonly cap: Amounts
  readonly spent: Amounts
  /** Reserved for calls that are being made. */
  readonly held: Amounts
  /** Kept back for the final report of the coordinator. */
  readonly kept: Amounts
  /** From then on nothing new is begun, and from the second on nothing at all. */
  readonly closing: number
  readonly closed: number
}

/** The most that a model call may cost. */
export interface CallNeed {
  /** The cost of the question, whatever the answer is. */
  readonly fixed: Amounts
  /** Millionths of a dollar for one token of the answer. */
  readonly rate: number
  /** The longest answer that is wanted, in tokens. */
  readonly want: number
  /** The member was told to report: this is its last call. */
  readonly last: boolean
  /** The caller is the coordinator, for whom a part is kept back. */
  readonly leads: boolean
  readonly at: number
}

export type CallVerdict =
  | { readonly act: 'go'; readonly max_tokens: number }
  /** Calls that are being made hold what it needs. */
  | { readonly act: 'wait' }
  | { readonly act: 'stop'; readonly unit: BudgetUnit; readonly scope: BudgetScope }

/** Tokens that a final report may take. */
export const reportTokens = 1_500
/** A report that is cut shorter than this says nothing. */
const leastReport = 200
/** An answer is rather waited for than cut shorter than this. */
const easyAnswer = 4_096
/** An answer that has to be cut shorter than this is not asked for any more: a report is. */
const leastAnswer = 1_024

/**
 * Decides whether a call may be made under all budgets that bind it: its worst case must fit into what is neither
 * spent nor reserved, less what the final reports need. An answer may be cut shorter so that it fits.
 *
 * @param accounts of the member and of its team
 * @example weighCall([team], { fixed: { usd: 900, tokens: 300, turns: 1 }, rate: 15, want: 16_384, last: false, leads: true, at: 0 })
 */
export function weighCall(accounts: readonly Account[], need: CallNeed): CallVerdict {
  for (const { scope, closing, closed } of accounts) {
    if (need.at >= (need.last ? closed : closing)) return { act: 'stop', unit: 'minutes', scope }
  }
  const want = need.last ? Math.min(need.want, reportTokens) : need.want
  const now = tightest(accounts, need)
  if (now.tokens >= Math.min(want, need.last ? want : easyAnswer)) return go(Math.min(want, now.tokens))
  const least = Math.min(want, need.last ? leastReport : leastAnswer)
  const later = tightest(accounts.map(released), need)
  if (later.tokens > now.tokens && later.tokens >= least) return { act: 'wait' }
  if (now.tokens >= least) return go(Math.min(want, now.tokens))
  return { act: 'stop', unit: later.unit, scope: later.scope }
}

/** The most that a call with this answer may come to. */
export function worstCase({ fixed, rate }: Pick<CallNeed, 'fixed' | 'rate'>, output: number): Amounts {
  return { usd: Math.ceil(fixed.usd + rate * output), tokens: fixed.tokens + output, turns: fixed.turns }
}

export function plus(a: Amounts, b: Amounts): Amounts {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens, turns: a.turns + b.turns }
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return { usd: a.usd - b.usd, tokens: a.tokens - b.tokens, turns: a.turns - b.turns }
}

/** The used share of a limit at which somebody is told, once. */
export const warningShare = 0.8

/** The limits of an account that are used up to there. */
export function nearlyUsed({ cap, spent }: Account): readonly AmountUnit[] {
  return amountUnits.filter((unit) => spent[unit] >= cap[unit] * warningShare)
}

/** The limit of which nothing is left for a member that is not the coordinator. */
export function usedUp({ cap, spent, kept, closing }: Account, at: number): BudgetUnit | null {
  if (at >= closing) return 'minutes'
  return amountUnits.find((unit) => cap[unit] - spent[unit] - kept[unit] <= 0) ?? null
}

/** The part of a budget that may still be spent, with the limits that there are. */
export function leftOf({ cap, spent, closing }: Account, at: number): Partial<Record<BudgetUnit, number>> {
  const amounts = amountUnits.flatMap((unit) =>
    cap[unit] === Infinity ? [] : [[unit, Math.max(0, cap[unit] - spent[unit])] as const],
  )
  const minutes = Math.ceil(Math.max(0, closing - at) / 60_000)
  return { ...Object.fromEntries(amounts), ...(closing === Infinity ? {} : { minutes }) }
}

/** The rest of a budget in words: `budgetLeft({ usd: 1_500_000, turns: 9 })` → `['$1.50', '9 turns']`. */
export function budgetLeft({ usd, tokens, turns, minutes }: ReturnType<typeof leftOf>): readonly string[] {
  return [
    ...(usd === undefined ? [] : [`$${(usd / 1_000_000).toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    ...(minutes === undefined ? [] : [`${minutes} minutes`]),
  ]
}

/** The part kept back for the coordinator: its latest question once more, and a report, but never most of the budget. */
export function keptFor(cap: Amounts, { fixed, rate }: Pick<CallNeed, 'fixed' | 'rate'>): Amounts {
  const report = worstCase({ fixed, rate }, reportTokens)
  const bounded = (unit: 'usd' | 'tokens'): number =>
    cap[unit] === Infinity ? 0 : Math.ceil(Math.min(cap[unit] * 0.3, Math.max(cap[unit] * 0.05, report[unit] * 1.25)))
  return { usd: bounded('usd'), tokens: bounded('tokens'), turns: cap.turns === Infinity ? 0 : 1 }
}

/** An equal part of what is neither spent, nor reserved, nor kept back, for one of `sharers`. */
export function shareOf({ cap, spent, held, kept }: Account, sharers: number): Amounts {
  const room = minus(minus(minus(cap, spent), held), kept)
  const part = (unit: AmountUnit): number => Math.max(0, Math.floor(room[unit] / sharers))
  // With less than two turns nothing can be done but to say so.
  return {
    usd: part('usd'),
    tokens: part('tokens'),
    turns: Math.max(part('turns'), Math.min(2, Math.max(0, room.turns))),
  }
}

function go(max_tokens: number): CallVerdict {
  return { act: 'go', max_tokens }
}

interface Fit {
  /** How long the answer may be; negative when not even the question fits. */
  readonly tokens: number
  readonly unit: AmountUnit
  readonly scope: BudgetScope
}

/** An account as it is when no call is being made. */
function released(account: Account): Account {
  return { ...account, held: nothing }
}

/** The limit that leaves the shortest answer. */
function tightest(accounts: readonly Account[], need: CallNeed): Fit {
  const fits = accounts.flatMap((account) => amountUnits.map((unit) => fit(account, unit, need)))
  return fits.reduce((least, each) => (each.tokens < least.tokens ? each : least), {
    tokens: Infinity,
    unit: 'usd',
    scope: 'team',
  })
}

function fit({ cap, spent, held, kept, scope }: Account, unit: AmountUnit, need: CallNeed): Fit {
  if (cap[unit] === Infinity) return { tokens: Infinity, unit, scope }
  const report = need.last ? 0 : worstCase(need, reportTokens)[unit]
  const others = need.leads ? 0 : kept[unit]
  const room = cap[unit] - spent[unit] - held[unit] - others - report - need.fixed[unit]
  if (room < 0) return { tokens: -1, unit, scope }
  const rate = { usd: need.rate, tokens: 1, turns: 0 }[unit]
  return { tokens: rate === 0 ? Infinity : Math.floor(room / rate), unit, scope }
}
