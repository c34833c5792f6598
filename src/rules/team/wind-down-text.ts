import type { BudgetScope, BudgetUnit } from './call-budget.ts'

/** Which limit is in the way, and whose. */
export interface Limit {
  readonly unit: BudgetUnit
  readonly scope: BudgetScope
}

const whose = { team: "the team's", member: 'its own', lease: "its part of the team's" } as const
const yours = { team: "The team's", member: 'Your', lease: "Your part of the team's" } as const
const names = { usd: 'dollars', tokens: 'tokens', turns: 'turns', minutes: 'time' } as const

/** `limitText({ unit: 'usd', scope: 'team' })` → `the team's budget of dollars`. */
export function limitText({ unit, scope }: Limit): string {
  return `${whose[scope]} budget of ${names[unit]}`
}

/** The text for a member whose budget leaves one answer more. */
export function windDownText({ unit, scope }: Limit): string {
  return (
    `${yours[scope]} budget of ${names[unit]} leaves one more answer, and this is it. Call no tools. Write your ` +
    'final report now, briefly: what is done and found, what is not, and what should follow.'
  )
}

/** The text for a member that ended its turn with nothing and owes an answer. */
export const noAnswerText =
  'Your turn ended without a text, and an answer is owed. Write it now: what is done, what was found and what is missing. Without a text the work counts as failed.'

/**
 * Why work without an answer has failed: with what was done instead.
 * @example noAnswerReason({ Bash: 3 }, 5) // 'it ended without an answer, and so once more when it was asked. Instead: 5 model answers, Bash 3.'
 */
export function noAnswerReason(used: Readonly<Record<string, number>>, answers: number): string {
  const calls = Object.entries(used).map(([tool, count]) => `${tool} ${count}`)
  const done = [`${answers} model answers`, ...(calls.length === 0 ? ['no tool was used'] : calls)].join(', ')
  return `it ended without an answer, and so once more when it was asked. Instead: ${done}.`
}

/** The text in place of a result, for a call that came with the last answer. */
export const unpaidText = 'Not run: the budget is used up.'

/** How many answers before the last one a member is told of them, where it has many. */
const earlyWord = 5

/**
 * The word to a member whose turns run out: a few answers before the last one, and before the last one; else null.
 * @param left answers that it may still give
 */
export function turnsText(left: number, turns: number): string | null {
  if (left === 1)
    return `Answer ${turns} of ${turns} is next, the last one of this work: report now what is done, what was found and what is missing.`
  if (left !== earlyWord || turns < 4 * earlyWord) return null
  return `${left} of ${turns} answers are left for this work: come to its end, and keep the last one for your report.`
}
