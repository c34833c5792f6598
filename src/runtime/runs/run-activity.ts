import { applyCost, emptyCost } from '../../projections/cost/cost.ts'
import { applyTodos, type Todos } from '../../projections/member/arranged.ts'
import type { Todo } from '../../protocol/work/todo.ts'
import { applyRoster, emptyRoster, partOf, waitText, type WorkPart } from '../../projections/screen/roster.ts'
import { recordOfRun } from './read-runs.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'

/** Progress of a run, as its journals tell. */
export interface Activity {
  /** Dollars; null as soon as one price is unknown. */
  readonly cost_usd: number | null
  /** The same by member, for those who asked a model. */
  readonly costs: Readonly<Record<string, number | null>>
  /** Busy members of whom nothing was heard for longer than the team allows. */
  readonly hung: readonly string[]
  /** For whom resting members wait, in words: `waiting for ana, bo`. */
  readonly waits: Readonly<Record<string, string>>
  /** Why members crashed, or why their latest work failed. */
  readonly troubles: Readonly<Record<string, string>>
  /** For whom members do a part of another worker's work. */
  readonly parts: Readonly<Record<string, WorkPart>>
  /** The todo lists of the members that wrote one. */
  readonly todos: Readonly<Record<string, readonly Todo[]>>
}

/** Reads all journals of a run; for runs that are shown, not for all there are. */
export function activityOf({ dir }: { readonly dir: string }): Activity {
  const cost = emptyCost()
  const hung = new Set<string>()
  const todos: Todos = new Map()
  const roster = emptyRoster()
  for (const recorded of recordOfRun(dir).recorded) {
    applyCost(cost, recorded)
    applyHung(hung, recorded)
    applyTodos(todos, recorded)
    applyRoster(roster, recorded)
  }
  const costs = [...cost.members].map(([name, { cost_usd }]) => [name, cost_usd] as const)
  return {
    cost_usd: cost.total.cost_usd,
    costs: Object.fromEntries(costs),
    hung: [...hung],
    waits: Object.fromEntries([...roster].flatMap(([name, view]) => entryOf(name, waitText(view)))),
    troubles: Object.fromEntries([...roster].flatMap(([name, { trouble }]) => entryOf(name, trouble))),
    parts: Object.fromEntries([...roster].flatMap(([name, view]) => entryOf(name, partOf(view)))),
    todos: Object.fromEntries(todos),
  }
}

function entryOf<Value>(name: string, value: Value | null): readonly (readonly [string, Value])[] {
  return value === null ? [] : [[name, value]]
}

/** Takes one recorded fact into the names of those who hang: whoever says anything does not any more. */
function applyHung(hung: Set<string>, { owner, entry }: Recorded): void {
  if (entry.type === 'member.hung') hung.add(entry.member)
  else hung.delete(owner)
}
