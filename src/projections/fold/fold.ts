import type { Entry, Recorded } from '../../protocol/facts/entry.ts'

type EntryType = Entry['type']

/** One kind of journal entry, frame included. */
export type EntryOf<Type extends EntryType> = Extract<Entry, { type: Type }>

/** Which concern each fact belongs to. A fold names its concerns and must then care for every fact of them. */
const concerns = {
  'journal.opened': 'journal',
  'agent.started': 'loop',
  'turn.continued': 'loop',
  'agent.parked': 'loop',
  'agent.ended': 'loop',
  'message.appended': 'conversation',
  'message.tombstoned': 'conversation',
  'model.requested': 'model',
  'model.settled': 'model',
  'model.consulted': 'consultation',
  'budget.leased': 'budget',
  'budget.returned': 'budget',
  'budget.warned': 'budget',
  'budget.exhausted': 'budget',
  'model.retried': 'recovery',
  'model.given_up': 'recovery',
  'model.paused': 'recovery',
  'model.waiting': 'recovery',
  'model.resumed': 'recovery',
  'model.fell_back': 'recovery',
  'model.conceded': 'recovery',
  'cache.extended': 'recovery',
  'model.counted': 'recovery',
  'model.described': 'recovery',
  'breaker.opened': 'recovery',
  'breaker.closed': 'recovery',
  'call.started': 'call',
  'call.finished': 'call',
  'call.coerced': 'handling',
  'call.refused': 'handling',
  'call.retried': 'handling',
  'call.reused': 'handling',
  'call.limited': 'handling',
  'turn.overflowed': 'handling',
  'context.compacted': 'handling',
  'prompt.changed': 'handling',
  'memory.extracted': 'handling',
  'files.changed': 'change',
  'checkpoint.named': 'change',
  'turns.undone': 'handling',
  'verify.started': 'work',
  'verify.settled': 'work',
  'model.escalated': 'work',
  'skill.opened': 'work',
  'plan.entered': 'work',
  'plan.approved': 'work',
  'todos.changed': 'work',
  'permission.requested': 'permission',
  'permission.decided': 'permission',
  'mail.sent': 'mail',
  'mail.received': 'mail',
  'mail.handled': 'mail',
  'mail.died': 'mail',
  'member.started': 'life',
  'member.renewed': 'notice',
  'model.chosen': 'notice',
  'mode.chosen': 'notice',
  'member.woke': 'life',
  'member.idled': 'life',
  'member.replied': 'mail',
  'member.waits': 'answering',
  'member.reported': 'answering',
  'member.drained': 'life',
  'member.gone': 'life',
  'member.spawned': 'life',
  'member.crashed': 'life',
  'member.lost': 'life',
  'member.refused': 'life',
  'stop.asked': 'stop',
  'stop.refused': 'stop',
  'member.stopped': 'life',
  'member.restarted': 'stop',
  'team.started': 'run',
  'team.resumed': 'run',
  'team.reopened': 'run',
  'team.ended': 'run',
  'request.held': 'request',
  'request.opened': 'request',
  'request.settled': 'request',
  'gather.opened': 'gather',
  'gather.settled': 'gather',
  'coordinator.moved': 'gather',
  'lead.nudged': 'gather',
  'task.created': 'task',
  'task.opened': 'task',
  'task.claimed': 'task',
  'task.released': 'task',
  'task.submitted': 'task',
  'task.finished': 'task',
  'task.refused': 'task',
  'worktree.opened': 'worktree',
  'worktree.closed': 'worktree',
  'executor.chosen': 'notice',
  'member.hung': 'notice',
  'event.dropped': 'notice',
  'settings.changed': 'notice',
  'mcp.changed': 'notice',
  'hook.ran': 'notice',
  'team.changed': 'notice',
  'warning.raised': 'notice',
} as const satisfies Record<EntryType, string>

export type Concern = (typeof concerns)[EntryType]

type TypesOf<Watched extends Concern> = {
  [Type in EntryType]: (typeof concerns)[Type] extends Watched ? Type : never
}[EntryType]

/** One step per fact of the watched concerns; each changes the state in place. */
export type Steps<State, Watched extends Concern> = {
  readonly [Type in TypesOf<Watched>]: (state: State, entry: EntryOf<Type>, owner: string) => void
}

/**
 * Makes a fold out of its steps. A new fact has to be given a concern above, and then a step in every fold
 * of that concern: the compiler names both places. Entries of other concerns, and facts of a newer version,
 * leave the state alone.
 *
 * `foldOver<{ calls: number }, 'call'>({ 'call.started': (state) => { state.calls += 1 }, 'call.finished': ignore })`
 */
export function foldOver<State, Watched extends Concern>(
  steps: Steps<State, Watched>,
): (state: State, recorded: Recorded) => void {
  const table = new Map(Object.entries(steps)) as Map<string, (state: State, entry: Entry, owner: string) => void>
  return (state, { owner, entry }) => table.get(entry.type)?.(state, entry, owner)
}

/** Steps for the facts that a listener names. */
type HeardFacts = { readonly [Type in EntryType]?: (entry: EntryOf<Type>, owner: string) => void }

/**
 * Makes a listener out of steps for the facts that it is about; all other facts pass it by. Nothing is to be told of a
 * new fact by one that hears two or three.
 * @example facts.subscribe(hearing({ 'member.lost': ({ member }) => lost.add(member) }))
 */
export function hearing(steps: HeardFacts): (recorded: Recorded) => void {
  const table = new Map(Object.entries(steps)) as Map<string, (entry: Entry, owner: string) => void>
  return ({ owner, entry }) => table.get(entry.type)?.(entry, owner)
}

/** Steps for the facts that a fold names. */
type SomeSteps<State> = { readonly [Type in EntryType]?: (state: State, entry: EntryOf<Type>, owner: string) => void }

/**
 * Makes a fold out of steps for the facts that it is about; all other facts leave the state alone.
 * @example foldSome<Set<string>>({ 'member.lost': (lost, { member }) => void lost.add(member) })
 */
export function foldSome<State>(steps: SomeSteps<State>): (state: State, recorded: Recorded) => void {
  const table = new Map(Object.entries(steps)) as Map<string, (state: State, entry: Entry, owner: string) => void>
  return (state, { owner, entry }) => table.get(entry.type)?.(state, entry, owner)
}

/**
 * A listener that folds what it hears into a state.
 * @example facts.subscribe(into(applyTally, tally))
 */
export function into<State>(
  fold: (state: State, recorded: Recorded) => void,
  state: State,
): (recorded: Recorded) => void {
  return (recorded) => fold(state, recorded)
}

/** The step of a fact that changes nothing in this fold. */
export function ignore(): void {}

/** The value of a key, made by `make` when it is not there yet. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const present = map.get(key)
  if (present !== undefined) return present
  const made = make(key)
  map.set(key, made)
  return made
}
