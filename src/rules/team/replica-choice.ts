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
