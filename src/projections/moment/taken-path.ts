import { pathsOf, type ChartArrow, type ChartStep } from '../../protocol/words/chart.ts'

/** The time that machines spent in a state, and how often they came there. */
export interface StateTime {
  readonly visits: number
  readonly ms: number
}

/** The path of the machines of one chart through its states. */
export interface TakenPath {
  /** The states in which the latest one stands, with those around them. */
  readonly current: ReadonlySet<string>
  readonly times: ReadonlyMap<string, StateTime>
  /** Ways that were taken, from state to state. */
  readonly ways: ReadonlySet<string>
  /** The steps in their order, with the state that each led to. */
  readonly steps: readonly TakenStep[]
}

/** A step, and how long the machine stood where it led; null where it stands there yet. */
export interface TakenStep {
  readonly at: number
  readonly event: string
  readonly entry: string | null
  readonly state: string
  readonly ms: number | null
}

/**
 * Follows the steps of one chart.
 * @param now milliseconds since the epoch, for the state that lasts
 */
export function takenPath(steps: readonly ChartStep[], now: number): TakenPath {
  const times = new Map<string, StateTime>()
  const ways = new Set<string>()
  const taken: TakenStep[] = []
  const standing = new Map<string, { readonly index: number; readonly state: string }>()
  for (const { actor, event, to, entry, at } of steps) {
    const state = pathsOf(to).at(-1) ?? ''
    const before = standing.get(actor)
    const since = at ?? taken.at(-1)?.at ?? now
    if (before !== undefined) {
      ways.add(wayOf(before.state, state))
      leave(taken, before.index, since)
    }
    standing.set(actor, { index: taken.length, state })
    taken.push({ at: since, event: plainEvent(event), entry, state, ms: null })
  }
  for (const [index, { at, state, ms }] of taken.entries()) {
    // Machines before the latest one stand where they ended.
    const stood = ms ?? (index === taken.length - 1 ? Math.max(0, now - at) : 0)
    for (const path of pathsAround(state)) {
      const { visits, ms: spent } = times.get(path) ?? { visits: 0, ms: 0 }
      times.set(path, { visits: visits + 1, ms: spent + stood })
    }
  }
  return { current: new Set(pathsAround(taken.at(-1)?.state ?? '')), times, ways, steps: taken }
}

/** Whether a path took this arrow, also one that leads out of a group. */
export function isTaken({ ways }: TakenPath, { from, to }: ChartArrow): boolean {
  if (ways.has(wayOf(from, to))) return true
  return [...ways].some((way) => way.startsWith(`${from}.`) && way.endsWith(` ${to}`))
}

function wayOf(from: string, to: string): string {
  return `${from} ${to}`
}

function leave(taken: TakenStep[], index: number, at: number): void {
  const step = taken[index]
  if (step) taken[index] = { ...step, ms: Math.max(0, at - step.at) }
}

function pathsAround(state: string): readonly string[] {
  const parts = state.split('.')
  return state === '' ? [] : parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

/** `xstate.done.actor.ask` → `ask answers`. @see https://stately.ai/docs/xstate */
function plainEvent(type: string): string {
  const [, end, id = ''] = /^xstate\.(done|error)\.actor\.(.*)$/.exec(type) ?? []
  if (/^\d+$/.test(id)) return `call ${Number(id) + 1} ends`
  if (end !== undefined) return `${id} ${end === 'done' ? 'answers' : 'fails'}`
  return type.replace(/^xstate\.after\.([^.]*)\..*$/, 'after $1').replace(/^xstate\.init$/, 'begins')
}
