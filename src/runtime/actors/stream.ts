/** A push side and a pull side with a queue between them, for consumers that iterate. */
export interface Stream<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
}

export interface StreamOptions<Item> {
  /** Joins an item into the last waiting one (deltas of a slow reader), so that the queue stays short. */
  readonly merge?: (last: Item, next: Item) => Item | null
  /** The reader is through, at the end or before it. */
  readonly onReturn?: () => void
}

interface Queue<Item> {
  waiting: Item[]
  ended: boolean
  /** The reader waits for this. */
  reader: ((result: IteratorResult<Item, undefined>) => void) | null
}

export function stream<Item>({ merge, onReturn }: StreamOptions<Item> = {}): Stream<Item> {
  const queue: Queue<Item> = { waiting: [], ended: false, reader: null }
  const give = (result: IteratorResult<Item, undefined>): boolean => {
    const { reader } = queue
    queue.reader = null
    reader?.(result)
    return reader !== null
  }
  return {
    push(item) {
      if (queue.ended || give({ done: false, value: item })) return
      const { waiting } = queue
      const last = waiting.at(-1)
      const merged = last !== undefined && merge ? merge(last, item) : null
      if (merged === null) waiting.push(item)
      else waiting[waiting.length - 1] = merged
    },
    end() {
      queue.ended = true
      if (give(over)) onReturn?.()
    },
    [Symbol.asyncIterator]: () => readerOf(queue, onReturn),
  }
}

const over = { done: true, value: undefined } as const

/** By hand: a step of an async generator costs three promises, and most items are a few letters. */
function readerOf<Item>(queue: Queue<Item>, onReturn: (() => void) | undefined): AsyncIterator<Item, undefined> {
  let batch: Item[] = []
  let at = 0
  return {
    next() {
      if (at === batch.length && queue.waiting.length > 0) {
        batch = queue.waiting
        queue.waiting = []
        at = 0
      }
      if (at < batch.length) return Promise.resolve({ done: false, value: batch[at++] as Item })
      if (!queue.ended) return new Promise((resolve) => (queue.reader = resolve))
      onReturn?.()
      return Promise.resolve(over)
    },
    return() {
      onReturn?.()
      return Promise.resolve(over)
    },
  }
}
