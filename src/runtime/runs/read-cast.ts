import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import type { PaneMembers } from '../../projections/screen/panes.ts'

/** Facts about a run that a screen needs before its first picture. */
export interface RunCast extends PaneMembers {
  readonly run: string
  readonly team: string
  /** Dollars that the run may spend; null without a bound. */
  readonly budget_usd: number | null
  /** Where the members work. */
  readonly cwd: string
}

/** Why a directory is no run, for people. */
export const noRunText: (dir: string) => string = unreadableRun

/**
 * The members of a run, the coordinator first.
 *
 * @returns null when the directory is no run
 */
export function readCast(dir: string): RunCast | null {
  const file = readRunFile(dir)
  if (!file) return null
  const { name, coordinator: lead, budget, members } = file.team
  const ordered = members.toSorted((a, b) => Number(b.name === lead) - Number(a.name === lead))
  return {
    run: file.run,
    team: name,
    lead,
    members: ordered.map((card) => ({ name: card.name, model: card.model })),
    budget_usd: budget.usd ?? null,
    cwd: file.cwd,
  }
}
