/** A subtask as far as its place among others goes. */
export interface Planned {
  readonly worker: string
  /** The name by which other subtasks of the same call refer to this one. */
  readonly name?: string | undefined
  /** Names, workers or places (from 1) of subtasks of the same call, or ids of earlier requests. */
  readonly depends_on: readonly (string | number)[]
}

/** For each subtask the places of those of the same call, and the ids of the earlier requests, that it builds on. */
export type Plan =
  | { readonly needs: readonly { readonly places: readonly number[]; readonly requests: readonly string[] }[] }
  | { readonly error: string }

/**
 * Finds what each subtask builds on. A call whose order is not clear is refused as a whole, before anything of it is done.
 *
 * @param known whether there is an earlier request of this id
 * @example planDelegation([{ worker: 'ana', depends_on: [] }, { worker: 'bo', depends_on: ['ana'] }], () => false)
 * // { needs: [{ places: [], requests: [] }, { places: [0], requests: [] }] }
 */
export function planDelegation(subtasks: readonly Planned[], known: (request: string) => boolean): Plan {
  const names = subtasks.flatMap(({ name }) => name ?? [])
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return { error: `Two subtasks are called "${twice}": give each its own name.` }
  const needs: { places: number[]; requests: string[] }[] = []
  for (const { depends_on } of subtasks) {
    const need: { places: number[]; requests: string[] } = { places: [], requests: [] }
    for (const reference of depends_on) {
      const place = placeOf(reference, subtasks)
      if (place !== undefined) need.places.push(place)
      else if (typeof reference === 'string' && known(reference)) need.requests.push(reference)
      else return { error: unclear(reference, subtasks) }
    }
    needs.push(need)
  }
  const circle = circleIn(needs.map(({ places }) => places))
  if (circle)
    return { error: `Subtasks wait for each other and none could begin: ${circle.map((n) => n + 1).join(' → ')}.` }
  return { needs }
}

/** A worker's name means its subtask only when it has one. */
function placeOf(reference: string | number, subtasks: readonly Planned[]): number | undefined {
  if (typeof reference === 'number') return subtasks[reference - 1] ? reference - 1 : undefined
  const named = subtasks.findIndex(({ name }) => name === reference)
  if (named !== -1) return named
  const theirs = subtasks.flatMap(({ worker }, place) => (worker === reference ? [place] : []))
  return theirs.length === 1 ? theirs[0] : undefined
}

function unclear(reference: string | number, subtasks: readonly Planned[]): string {
  const names = subtasks.map(({ name, worker }, place) => name ?? `${place + 1} (${worker})`)
  return `depends_on ${JSON.stringify(reference)} names no one subtask of this call and no earlier request. Subtasks: ${names.join(', ')}.`
}

/** Some circle among the places, as the way round it. */
function circleIn(needs: readonly (readonly number[])[]): readonly number[] | null {
  const done = new Set<number>()
  const walk = (place: number, way: readonly number[]): readonly number[] | null => {
    if (way.includes(place)) return [...way.slice(way.indexOf(place)), place]
    if (done.has(place)) return null
    for (const next of needs[place] ?? []) {
      const circle = walk(next, [...way, place])
      if (circle) return circle
    }
    done.add(place)
    return null
  }
  for (const place of needs.keys()) {
    const circle = walk(place, [])
    if (circle) return circle
  }
  return null
}

/** A worker by its name and by the card that it shares with its replicas. */
export interface Replica {
  readonly name: string
  readonly card: string
}

/** A request as far as it makes its worker busy. */
export interface Load {
  readonly worker: string
  readonly status: string
}

/**
 * The taker of a piece of work that is addressed to a worker or to a card: the worker itself, or of a card's replicas the
 * one with the fewest open requests, then the one that was asked least, then the first. So idle replicas take turns.
 *
 * @returns `undefined` when nobody has that name or card, or all that have it are out
 * @example chooseReplica('hand', [{ name: 'hand-1', card: 'hand' }, { name: 'hand-2', card: 'hand' }], []) // 'hand-1'
 */
export function chooseReplica(to: string, workers: readonly Replica[], loads: readonly Load[]): string | undefined {
  const named = workers.find(({ name }) => name === to)
  if (named) return named.name
  const candidates = workers.flatMap(({ name, card }) => (card === to ? [{ name, open: 0, all: 0 }] : []))
  const burdens = new Map(candidates.map((burden) => [burden.name, burden]))
  for (const { worker, status } of loads) {
    const burden = burdens.get(worker)
    if (!burden) continue
    burden.all += 1
    if (status === 'open') burden.open += 1
  }
  return candidates.toSorted((a, b) => a.open - b.open || a.all - b.all)[0]?.name
}

/** The key of the mail with which the coordinator hands a request out: one for each attempt. */
export function handOutKey(request: string, attempt: number): string {
  return `hand:${request}:${attempt}`
}

/** The attempt that a mail with such a key makes; null for other keys. */
export function attemptOf(key: string): number | null {
  const attempt = /^hand:.*:(\d+)$/.exec(key)?.[1]
  return attempt === undefined ? null : Number(attempt)
}
