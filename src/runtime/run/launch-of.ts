import { launchSchema, type Launch } from '../../protocol/team/run.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'

/** Options that hold for the whole run, whoever leads it. */
export function launchOf(options: { readonly [Name in keyof Launch]?: unknown }): Launch {
  const held = Object.keys(launchSchema.shape).map((name) => [name, options[name as keyof Launch]] as const)
  return Object.fromEntries(held.filter(([, value]) => value !== undefined))
}

export function withBudget(team: ResolvedTeam, usd: number | undefined): ResolvedTeam {
  return usd === undefined ? team : { ...team, budget: { ...team.budget, usd } }
}
