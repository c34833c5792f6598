import { deepest } from '../../protocol/team/spawn-limits.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { nestingVariable } from './marked-env.ts'
import { RunTooDeep, type Nesting } from './run-too-deep.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How deep a run is that begins in this environment. The nearer of two limits holds: a run inside of another may narrow
 * the limit and never widen it.
 *
 * @throws RunTooDeep when no worker could be started
 * @example nestingOf({ TROUPE_DEPTH: '2/5' }, { limits: { depth: 9 } }) // { depth: 2, limit: 5 }
 */
export function nestingOf(env: Environment, { limits = {} }: Pick<ResolvedTeam, 'limits'>): Nesting {
  const { depth, limit } = markIn(env)
  const nesting = { depth, limit: Math.min(limit, depth + (limits.depth ?? deepest)) }
  if (depth + 1 > nesting.limit) throw new RunTooDeep(nesting)
  return nesting
}

function markIn(env: Environment): Nesting {
  const [, depth = '0', limit = 'Infinity'] = /^(\d{1,4})\/(\d{1,4})$/.exec(env[nestingVariable] ?? '') ?? []
  return { depth: Number(depth), limit: Number(limit) }
}

/** How many runs stand around what begins in this environment; 0 where a person begins it. */
export function depthIn(env: Environment): number {
  return markIn(env).depth
}

/** The nesting in the process of a worker, whose commands find what it was given. */
export function nestingOfWorker(env: Environment): Nesting {
  const { depth, limit } = markIn(env)
  return { depth: depth - 1, limit }
}

/** Environment variables for the commands of a member; `member` is the member's own distance from its coordinator. */
export function nestingMark({ depth, limit }: Nesting, member: number): Readonly<Record<string, string>> {
  return { [nestingVariable]: `${depth + member + 1}/${limit}` }
}
