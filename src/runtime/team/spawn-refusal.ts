import { isUp } from '../../../machines/team/lives.ts'
import { mayStart, type SpawnGate } from '../../../machines/team/spawn-gate.ts'
import type { BudgetUnit } from '../../rules/team/call-budget.ts'
import { spawnRefusalText, type SpawnLimit } from '../../rules/team/spawn-guard.ts'

/** The grounds of a refusal: the limits in the team's machine, and the rest of the budget. */
export interface SpawnSight {
  spawnGate(): SpawnGate
  usedUp(): BudgetUnit | null
  now(): number
}

/** Which limit is in the way, and what whoever asked is told. */
export interface SpawnRefusal {
  readonly limit: SpawnLimit
  readonly text: string
}

/**
 * Why mail to a member would start nobody, told before it is written; null when it would, or when the member runs. The
 * team's machine has the last word, this is only so that the sender hears it.
 */
export function spawnRefusal({ spawnGate, usedUp, now }: SpawnSight, by: string, member: string): SpawnRefusal | null {
  const { lives, coordinator, spent, ...rest } = spawnGate()
  const life = lives[member]
  if (!life || (life.state !== 'absent' && life.state !== 'stopped')) return null
  const seen = { ...rest, lives, coordinator, spent: spent ?? usedUp() }
  const verdict = mayStart(seen, { member, by, at: now() })
  if (verdict.act !== 'refuse') return null
  const running = Object.values(lives).filter((other) => isUp(other) && other.name !== coordinator && other.name !== by)
  const names = running.map(({ name }) => name)
  return { limit: verdict.limit, text: spawnRefusalText(member, verdict, names) }
}
