import type { Millis } from '../../protocol/words/ids.ts'
import type { SpawnLimits } from '../../protocol/team/spawn-limits.ts'
import type { BudgetUnit } from './call-budget.ts'

/** The limits on starting members; an absent one limits nothing. */
export interface SpawnBounds extends Pick<SpawnLimits, 'concurrency' | 'rate' | 'depth'> {
  /** Starts in all (`budget.agents`). */
  readonly agents?: number | undefined
}

/** How a team stands when somebody is to be started. */
export interface Population {
  /** When members were started, each start once. */
  readonly starts: readonly Millis[]
  /** Workers at work now. */
  readonly atWork: number
  /** The limit of the team's budget that is used up. */
  readonly spent: BudgetUnit | null
}

export type SpawnLimit = 'agents' | 'rate' | 'depth' | 'budget'

export type SpawnVerdict =
  | { readonly act: 'start' }
  /** A worker at work has to come to its rest first. */
  | { readonly act: 'wait' }
  | { readonly act: 'refuse'; readonly limit: SpawnLimit; readonly reason: string }

const minute = 60_000

/**
 * Says whether one more member may be started. What will pass by itself is waited for, what will not is refused with the
 * name of the limit, because whoever asked can go on otherwise only if it is told.
 *
 * @param depth how many starts away from the coordinator it would be
 * @example judgeSpawn({ agents: 2 }, { starts: [0, 0], atWork: 1, spent: null }, { depth: 1, at: 9 }) // refused: agents
 */
export function judgeSpawn(
  { agents = Infinity, rate = Infinity, depth: deepest = Infinity, concurrency = Infinity }: SpawnBounds,
  { starts, atWork, spent }: Population,
  { depth, at }: { readonly depth: number; readonly at: Millis },
): SpawnVerdict {
  if (spent !== null) return refused('budget', `the budget of the run is used up (${spent})`)
  if (depth > deepest)
    return refused(
      'depth',
      `it would be ${depth} starts away from the coordinator, ${deepest} are allowed (limits.depth)`,
    )
  if (starts.length >= agents) return refused('agents', `${agents} starts of members are all that budget.agents allows`)
  const recent = starts.filter((start) => at - start < minute).length
  if (recent >= rate) return refused('rate', `${rate} members were started within the last minute (limits.rate)`)
  return atWork >= concurrency ? { act: 'wait' } : { act: 'start' }
}

function refused(limit: SpawnLimit, reason: string): SpawnVerdict {
  return { act: 'refuse', limit, reason }
}

/**
 * The text for a member whose message or subtask would have started another one: which limit, and how to go on.
 *
 * @param running who could do the work without a start
 * @example spawnRefusalText('ana', { limit: 'agents', reason: '…' }, ['bo'])
 */
export function spawnRefusalText(
  member: string,
  { limit, reason }: Pick<Extract<SpawnVerdict, { act: 'refuse' }>, 'limit' | 'reason'>,
  running: readonly string[],
): string {
  return `${member} is not started: ${reason}. ${remedies[limit](running)}`
}

const givenToOthers = (running: readonly string[]): string =>
  running.length === 0 ? '' : `Give the work to a worker that is running (${running.join(', ')}), or `

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const remedies: Readonly<Record<SpawnLimit, (running: readonly string[]) => string>> = {
  agents: (running) => sentence(`${givenToOthers(running)}answer with what you have.`),
  rate: (running) => sentence(`${givenToOthers(running)}wait for results before you start more.`),
  depth: () => 'Leave it to the coordinator, or do it yourself.',
  budget: () => 'Nobody begins anything new: answer with what you have.',
}

/** The text for a coordinator that has handed out as many requests as it may. */
export function requestsRefusalText(most: number): string {
  return `${most} pieces of work are all that may be handed out in this run (limits.requests). Wait for those that are open, and answer with what you have.`
}
