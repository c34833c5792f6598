/** A state of a machine's chart. */
export interface ChartNode {
  /** `thinking.asking` */
  readonly path: string
  readonly key: string
  /** The path of the state around it; empty at the top. */
  readonly parent: string
  readonly words: string
  readonly isFinal: boolean
}

/** The ways from one state to another, and the events that lead there. */
export interface ChartArrow {
  readonly from: string
  readonly to: string
  readonly events: readonly string[]
}

/** A machine as it is drawn. */
export interface Chart {
  readonly id: string
  /** Where it begins. */
  readonly initial: string
  readonly nodes: readonly ChartNode[]
  readonly arrows: readonly ChartArrow[]
}

/** A step of a machine that a replay derived from the facts. */
export interface ChartStep {
  /** The machine's actor: the member, `agent`, or the number of a call in its turn. */
  readonly actor: string
  /** The id of its chart. */
  readonly chart: string
  readonly event: string
  /** The state, as XState names it. */
  readonly to: unknown
  /** The entry that the machine stated with this step, or the next one that it stated, and when. */
  readonly entry: string | null
  readonly at: number | null
}

/** A state as paths, each with those around it: `{ thinking: 'asking' }` → `['thinking', 'thinking.asking']`. */
export function pathsOf(state: unknown, above = ''): readonly string[] {
  const path = (key: string): string => (above === '' ? key : `${above}.${key}`)
  if (typeof state === 'string') return [path(state)]
  if (typeof state !== 'object' || state === null) return []
  return Object.entries(state).flatMap(([key, inner]) => [path(key), ...pathsOf(inner, path(key))])
}
