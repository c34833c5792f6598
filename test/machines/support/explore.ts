import type { AnyEventObject, AnyStateMachine, InputFrom, SnapshotFrom } from 'xstate'
import { begin, stateName, take, type Walk } from './walk.ts'

export interface Exploration<M extends AnyStateMachine> {
  readonly input: InputFrom<M>
  /** What may happen next, each with a name for the report. */
  readonly events: (snapshot: SnapshotFrom<M>) => readonly (readonly [name: string, event: AnyEventObject])[]
  /** Two snapshots with the same key are the same place: this is what bounds the walk. */
  readonly key: (snapshot: SnapshotFrom<M>) => string
  /** Fails loudly when the space is larger than thought. */
  readonly limit: number
}

export interface Explored<M extends AnyStateMachine> {
  /** One shortest path to each place. */
  readonly places: ReadonlyMap<string, Walk<M>>
  /** A walk for every edge: the shortest path to its start, then the edge. */
  readonly edges: readonly Walk<M>[]
  readonly states: ReadonlySet<string>
  /** Places from which no end can be reached. */
  readonly dead: readonly string[]
}

/** Walks every edge that a machine can take from its start, breadth first, and executes nothing. */
export function explore<M extends AnyStateMachine>(machine: M, exploration: Exploration<M>): Explored<M> {
  const start = begin(machine, exploration.input)
  const places = new Map<string, Walk<M>>([[exploration.key(start.snapshot), start]])
  const before = new Map<string, Set<string>>()
  const edges: Walk<M>[] = [start]
  for (const [from, walk] of places) {
    if (isFinal(walk)) continue
    for (const [name, event] of exploration.events(walk.snapshot)) {
      const next = take(walk, event, name)
      const to = exploration.key(next.snapshot)
      edges.push(next)
      before.set(to, (before.get(to) ?? new Set()).add(from))
      if (!places.has(to)) places.set(to, next)
      if (places.size > exploration.limit) throw new Error(`more than ${exploration.limit} places`)
    }
  }
  const states = new Set([...places.values()].map((walk) => stateName(walk.snapshot)))
  return { places, edges, states, dead: deadEnds(places, before) }
}

export function isFinal<M extends AnyStateMachine>(walk: Walk<M>): boolean {
  return (walk.snapshot as { status: string }).status === 'done'
}

/** Every state of a machine that can be rested in, as `stateName` spells it. */
export function restingStates(machine: AnyStateMachine): ReadonlySet<string> {
  type Node = { key: string; states: Record<string, Node>; always?: readonly unknown[]; parent?: Node }
  const names = (node: Node, prefix: string): readonly string[] => {
    const children = Object.values(node.states)
    if (children.length > 0) return children.flatMap((child) => names(child, `${prefix}${node.key}.`))
    return hasWayOutAtOnce(node) ? [] : [`${prefix}${node.key}`]
  }
  const root = machine.root as unknown as Node
  return new Set(Object.values(root.states).flatMap((node) => names(node, '')))
}

/** A state whose last `always` has no guard is left in the step that enters it. */
function hasWayOutAtOnce(node: { always?: readonly unknown[] }): boolean {
  const last = node.always?.at(-1) as { guard?: unknown } | undefined
  return last !== undefined && last.guard === undefined
}

function deadEnds<M extends AnyStateMachine>(
  places: ReadonlyMap<string, Walk<M>>,
  before: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const ending = new Set([...places].filter(([, walk]) => isFinal(walk)).map(([key]) => key))
  for (const key of ending) for (const from of before.get(key) ?? []) ending.add(from)
  return [...places.keys()].filter((key) => !ending.has(key))
}
