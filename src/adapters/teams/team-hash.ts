import { createHash } from 'node:crypto'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'

/**
 * One SHA-256 of a team: the same cards give the same hash wherever the file lies
 * and in whatever order its keys were written.
 */
export function teamHash({ file: _, ...team }: UnhashedTeam): string {
  return createHash('sha256').update(canonicalJson(team)).digest('hex')
}

/** JSON with sorted keys and without undefined: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
  return `{${pairs.join(',')}}`
}
