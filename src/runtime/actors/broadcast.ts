/**
 * Hands each item to every listener, in order, one item at a time: what a listener causes while it is
 * told of an item is told after that item, so that all listeners hear one and the same order.
 */
export interface Broadcast<Item> {
  publish(item: Item): void
  subscribe(listener: (item: Item) => void): () => void
  readonly listeners: number
}

export function broadcast<Item>(): Broadcast<Item> {
  const listeners = new Set<(item: Item) => void>()
  const queue: Item[] = []
  let telling = false

  const tellAll = (): void => {
    telling = true
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
        for (const listener of listeners) listener(item)
      }
    } finally {
      telling = false
    }
  }

  return {
    publish(item) {
      queue.push(item)
      if (!telling) tellAll()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get listeners() {
      return listeners.size
    },
  }
}
